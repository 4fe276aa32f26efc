import HTTPKit
import Hummingbird

/// `GET /i/{code}`: where an invitation's link leads. Looks nothing up, so it tells nobody whether a code exists.
struct InvitePageRoutes: Sendable {
    let links: ServerConfiguration.Links

    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/i/:code") { _, context in
            guard let code = Self.code(try context.requireParameter("code")) else { throw Problem.notFound }
            return page(code)
        }
    }

    /// The code as it is shown; nil for what no code looks like.
    static func code(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let code = text.uppercased().filter { $0 != "-" && $0 != " " }
        return code.count == 6 && code.allSatisfy(alphabet.contains) ? code : nil
    }

    private static let alphabet = Set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    private func page(_ code: String) -> Page {
        // Read out letter by letter, not as a word.
        let spelled = code.map(String.init).joined(separator: " ")
        return Page(
            title: "You are invited to Dayly",
            body: """
                <h1>You are invited to Dayly</h1>
                <p>Dayly is for small groups of people who are close: once a day, each of you shares one photo with \
                the group. After 48 hours it is gone.</p>
                <p>\(appLinks.isEmpty ? "Open" : "Get the app, then open") Dayly and join with this code:</p>
                <p class="code" role="img" aria-label="\(spelled)">\(Page.escaped(code))</p>
                \(appLinks)
                <p>The code works once, for the phone number it was sent to.</p>
                """)
    }

    private var appLinks: String {
        let targets = [
            ("App Store", links.appStore), ("Google Play", links.playStore), ("Get Dayly", links.download),
        ]
        let items = targets.compactMap { name, url in
            url.map { "<li><a rel=\"noreferrer\" href=\"\(Page.escaped($0))\">\(name)</a></li>" }
        }
        return items.isEmpty ? "" : "<ul class=\"links\">\n\(items.joined(separator: "\n"))\n</ul>"
    }
}
