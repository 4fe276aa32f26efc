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
    var language = PageLanguage.english
    /// Whether the page has a form, which calls this service.
    var hasForm = false
    var preview: Preview?

    /// The card that messengers show for a link to the page (the Open Graph protocol).
    struct Preview: Sendable {
        let description: String
        /// The whole URL of a square PNG.
        let image: String?

        /// The tags of a page's head.
        func tags(title: String) -> String {
            var tags = [
                ("name", "description", description), ("property", "og:title", title),
                ("property", "og:description", description), ("property", "og:type", "website"),
                ("property", "og:site_name", "Dayly"), ("name", "twitter:card", "summary"),
            ]
            if let image {
                tags += [
                    ("property", "og:image", image), ("property", "og:image:width", "512"),
                    ("property", "og:image:height", "512"),
                ]
            }
            return tags.map { "<meta \($0.0)=\"\($0.1)\" content=\"\(Page.escaped($0.2))\">" }
                .joined(separator: "\n")
        }
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: hasForm ? Self.formPolicy : Self.policy,
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
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="referrer" content="no-referrer">
        <title>\(Self.escaped(title))</title>
        \(preview?.tags(title: title) ?? "")
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

    private static let formPolicy = policy.replacing("form-action 'none'", with: "form-action 'self'")

    /// Allows the one style by its hash, and nothing else.
    private static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }()

    private static let style = """
        :root { color-scheme: light dark; --ink: #1f1b16; --page: #faf6f0; --card: #fff; --soft: #6b6259;
          --line: #e8e0d5; }
        @media (prefers-color-scheme: dark) { :root { --ink: #f3ece2; --page: #14120f; --card: #1e1b17;
          --soft: #a69b8d; --line: #332e27; } }
        body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
        main { max-width: 32rem; margin: 0 auto; padding: 2rem 1.25rem; overflow-wrap: break-word; }
        h1 { font: 600 1.375rem/1.3 ui-rounded, system-ui, sans-serif; margin: 0 0 1rem; }
        h2, label { display: block; font: 600 1.0625rem/1.3 ui-rounded, system-ui, sans-serif; margin: 2rem 0 .5rem; }
        ol { padding-inline-start: 1.5rem; }
        ol > li { margin: .5rem 0; }
        .code { font: 600 clamp(2rem, 12vw, 2.125rem)/1.2 ui-monospace, monospace; letter-spacing: .16em; margin: 0;
          padding: 1.25rem 0 1.25rem .16em; text-align: center; background: var(--card); border-radius: 1rem;
          border: 1px solid var(--line); }
        .code > :first-child { -webkit-user-select: all; user-select: all; }
        .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap; -webkit-user-select: none; user-select: none; }
        .links { padding: 0; list-style: none; }
        .links a, button { display: block; box-sizing: border-box; width: 100%; margin: .75rem 0; padding: .75rem 1rem;
          border: 0; border-radius: 9rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
          color: var(--page); background: var(--ink); }
        input { box-sizing: border-box; width: 100%; padding: .75rem 1rem; border: 1px solid var(--soft);
          border-radius: 1rem; font: inherit; color: inherit; background: var(--card); }
        .note { margin-top: 2rem; font-size: .9375rem; color: var(--soft); }
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
