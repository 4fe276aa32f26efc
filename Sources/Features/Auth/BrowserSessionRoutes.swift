import DaylyAPI
import HTTPKit
import Hummingbird

/// The browser's form of the calls about sessions: the refresh token is in a cookie that scripts cannot read and that only
/// these calls get.
///
/// A client asks for it by the header `Dayly-Session: cookie`. A page of another site cannot send that header without a
/// preflight, which the service never answers. The check of the page's origin is the second guard.
package struct BrowserSessions: Sendable {
    private let origin: String
    private let isSecure: Bool
    private let attributes: String
    private let name: String

    /// - Parameters:
    ///   - origin: the origin of the service's own pages.
    ///   - isSecure: whether the cookie needs https. Some browsers drop such a cookie over plain http, which development has.
    package init(origin: String, isSecure: Bool) {
        self.origin = origin
        self.isSecure = isSecure
        name = isSecure ? "__Secure-dayly" : "dayly"
        attributes = "Path=/v1/auth; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Whether the client keeps its refresh token in the cookie.
    ///
    /// - Throws: 400 for another value of the header, 403 where the caller is not a page of this service.
    func isAsked(by request: Request) throws(Problem) -> Bool {
        guard let value = request.headers[.daylySession] else { return false }
        guard value == "cookie" else {
            throw .invalidRequest("The header Dayly-Session has one value: cookie.")
        }
        // Browsers without Fetch Metadata send `Origin` with every POST.
        let site = request.headers[.fetchSite]
        guard site.map({ $0 == "same-origin" }) ?? isOwn(request) else {
            throw Problem(
                .forbidden, .invalidRequest, "Only a page of this service can keep its session in a cookie.")
        }
        return true
    }

    /// Whether a page of this service sends the request. In development a phone of the same network reaches it by another name over
    /// plain http, where browsers send no Fetch Metadata.
    private func isOwn(_ request: Request) -> Bool {
        guard let sender = request.headers[.origin] else { return false }
        return sender == origin || (!isSecure && sender == "http://\(request.head.authority ?? "")")
    }

    /// The cookie's text. Without a cookie it is empty, and so not a token.
    func token(of request: Request) -> String { request.cookies[name]?.value ?? "" }

    /// `Set-Cookie` with a token.
    func cookie(_ token: String, lifetime: Duration) -> String {
        "\(name)=\(token); Max-Age=\(lifetime.components.seconds); \(attributes)"
    }

    /// `Set-Cookie` that removes the cookie.
    var removal: String { cookie("", lifetime: .zero) }

    /// Exchanges a token. A refused one leaves the browser, which would send it for as long as the cookie lives.
    func removingIfRefused(_ exchange: () async throws -> SignedIn) async throws -> SignedIn {
        do {
            return try await exchange()
        } catch AuthError.invalidRefreshToken {
            var problem = AuthError.invalidRefreshToken.problem
            problem.headers[.setCookie] = removal
            throw problem
        }
    }

    /// The answer to a browser that has signed out. It forgets its photos, too.
    var signedOut: Response {
        Response(
            status: .noContent,
            headers: [.setCookie: removal, .clearSiteData: "\"cache\", \"storage\""])
    }
}

/// New tokens, with the refresh token in the body or in a cookie.
struct TokenReply: ResponseGenerator, Sendable {
    let tokens: TokenResponse
    /// `Set-Cookie`; nil for a client that gets its refresh token in the body.
    let cookie: String?

    func response(from request: Request, context: some RequestContext) throws -> Response {
        // Caches must not store tokens (RFC 6749, section 5.1).
        guard let cookie else {
            return try Reply(headers: .unstored, tokens).response(from: request, context: context)
        }
        var headers = HTTPFields.unstored
        headers[.setCookie] = cookie
        return try Reply(headers: headers, BrowserTokenResponse(tokens))
            .response(from: request, context: context)
    }
}

extension HTTPFields {
    static let unstored: HTTPFields = [.cacheControl: "no-store"]
}
