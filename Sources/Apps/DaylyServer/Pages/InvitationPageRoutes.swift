import Groups
import HTTPKit
import Hummingbird

/// `GET /i/{code}`: the page of an invitation's link. It looks nothing up, so it does not reveal whether a code exists, and
/// nothing that a messenger's preview does uses anything up.
struct InvitationPageRoutes: Sendable {
    let page: InvitationPage

    func addRoutes(to router: AppRouter) {
        router.get("/i/:code") { request, _ in page.response(to: request) ?? page.missing(.none, for: request)
        }
        // Hummingbird runs a middleware that is added after the routes for requests that match none of them.
        router.add(middleware: InvitationLinkMiddleware(page: page))
    }
}

/// Opens the page for spellings of `/i/{code}` that match no route: in upper case, with something behind a slash, and the
/// form's `/i?code=`.
private struct InvitationLinkMiddleware: RouterMiddleware {
    let page: InvitationPage

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head, let answer = page.response(to: request)
        else { return try await next(request, context) }
        // Logs and metrics show the route, and never a code.
        context.coreContext.endpointPath.value = "/i/{code}"
        return answer.response(from: request, context: context)
    }
}

extension InvitationPage {
    /// The page that a request for an invitation's link gets; nil for another request.
    func response(to request: Request) -> Page? {
        guard let text = Self.text(in: request) else { return nil }
        switch Self.reading(text) {
        case .code(let code): return invitation(code.rawValue, for: request)
        case let mistake: return missing(mistake, for: request)
        }
    }

    /// The part of the link that has the code.
    private static func text(in request: Request) -> String? {
        let parts = request.uri.path.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, first == "i" || first == "I" else { return nil }
        guard parts.count == 2 else { return request.uri.queryParameters["code"].map(String.init) ?? "" }
        return decoded(parts[1])
    }

    private static func reading(_ text: String) -> TypedInvitationCode {
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
