import Crypto
import Foundation
import HTTPKit
import HTTPTypes
import Hummingbird

/// A small HTML page without scripts or external resources. Search engines must not index it, other sites must not frame
/// it, and its links send no referrer.
struct Page: ResponseGenerator, Sendable {
    var status = HTTPResponse.Status.ok
    let title: String
    /// HTML in which all foreign text is escaped.
    let body: String

    func response(from request: Request, context: some RequestContext) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: Self.policy,
            .referrerPolicy: "no-referrer",
            .robots: "noindex, nofollow",
            .cacheControl: "private, no-store",
            .contentTypeOptions: "nosniff",
        ]
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    private var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="referrer" content="no-referrer">
        <title>\(Self.escaped(title))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        \(body)
        </main>
        </body>
        </html>

        """
    }

    /// Escapes text for HTML, also inside a quoted attribute.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// Allows the one style by its hash, and nothing else.
    private static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()

    private static let style = """
        :root { color-scheme: light dark; --ink: #1b1b1f; --page: #fff; --field: #f1f0f5; --soft: #55545c;
          --accent: #3b3a9c; --on-accent: #fff; }
        @media (prefers-color-scheme: dark) { :root { --ink: #f0eff4; --page: #141417; --field: #24242a;
          --soft: #b3b1bc; --accent: #b9b8ff; --on-accent: #17164d; } }
        body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
        main { max-width: 32rem; margin: 0 auto; padding: 2rem 1.25rem; overflow-wrap: break-word; }
        h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
        h2 { font-size: 1.125rem; line-height: 1.3; margin: 2rem 0 .5rem; }
        ol { padding-inline-start: 1.5rem; }
        ol > li { margin: .5rem 0; }
        .code { font: 700 clamp(2rem, 13vw, 3.5rem)/1.2 ui-monospace, monospace; letter-spacing: .12em; margin: 0;
          padding: 1rem 0 1rem .12em; text-align: center; background: var(--field); border-radius: .75rem; }
        .code > :first-child { -webkit-user-select: all; user-select: all; }
        .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap; -webkit-user-select: none; user-select: none; }
        .links { padding: 0; list-style: none; }
        .links a { display: block; margin: .75rem 0; padding: .875rem 1rem; border-radius: .75rem; font-weight: 600;
          text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); }
        .note { margin-top: 2rem; font-size: 1rem; color: var(--soft); }
        """
}

extension HTTPField.Name {
    // The names are tokens of RFC 9110, so the initializer cannot fail.
    static let referrerPolicy = known("Referrer-Policy")
    static let robots = known("X-Robots-Tag")
    static let permissionsPolicy = known("Permissions-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return field
    }
}
