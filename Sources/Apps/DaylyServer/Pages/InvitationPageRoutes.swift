import Groups
import HTTPKit
import Hummingbird

/// `GET /i/{code}`: the page of an invitation's link. It looks nothing up, so it does not reveal whether a code exists, and
/// nothing that a messenger's preview does uses anything up.
struct InvitationPageRoutes: Sendable {
    let page: InvitationPage
    /// The web client, in which an invitee can join without installing anything.
    let client: WebClientSource?

    func addRoutes(to router: AppRouter) {
        router.get("/i/:code") { request, context in
            await response(to: request, context)
                ?? page.missing(.none, for: request).response(from: request, context: context)
        }
        // Hummingbird runs a middleware that is added after the routes for requests that match none of them.
        router.add(middleware: InvitationLinkMiddleware(routes: self))
    }

    /// The answer to a request for an invitation's link; nil for another request.
    fileprivate func response(to request: Request, _ context: AppContext) async -> Response? {
        guard let text = InvitationPage.text(in: request) else { return nil }
        switch InvitationPage.reading(text) {
        case .code(let code):
            guard let client else {
                return page.invitation(code.rawValue, for: request).response(from: request, context: context)
            }
            return await client.current().page(page.letter(code.rawValue, for: request)).response(to: request)
        case let mistake: return page.missing(mistake, for: request).response(from: request, context: context)
        }
    }
}

/// Opens the page for spellings of `/i/{code}` that match no route: in upper case, with something behind a slash, and the
/// form's `/i?code=`.
private struct InvitationLinkMiddleware: RouterMiddleware {
    let routes: InvitationPageRoutes

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head,
            let answer = await routes.response(to: request, context)
        else { return try await next(request, context) }
        // Logs and metrics show the route, and never a code.
        context.coreContext.endpointPath.value = "/i/{code}"
        return answer
    }
}

extension InvitationPage {
    /// The part of the link that has the code; nil for another path.
    fileprivate static func text(in request: Request) -> String? {
        let parts = request.uri.path.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, first == "i" || first == "I" else { return nil }
        guard parts.count == 2 else { return request.uri.queryParameters["code"].map(String.init) ?? "" }
        return decoded(parts[1])
    }

    fileprivate static func reading(_ text: String) -> TypedInvitationCode {
        // The message has some hundred characters.
        guard text.utf8.count <= 1_000 else { return .none }
        let alone = TypedInvitationCode(text)
        // Behind its path a code is told from the words that a messenger has added.
        guard alone == .none, case .code(let code) = TypedInvitationCode("/i/" + text) else { return alone }
        return .code(code)
    }

    /// Undoes percent-encoding. A messenger may have cut it off in the middle of a character.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
