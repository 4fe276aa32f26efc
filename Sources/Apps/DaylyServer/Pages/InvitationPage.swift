import Groups
import Hummingbird

/// The pages behind an invitation's link: the letter that the web client draws, the code alone where there is no web client, or
/// the request to type the code again.
struct InvitationPage: Sendable {
    let links: LinkSettings
    let publicURL: String

    func invitation(_ code: String, for request: Request) -> Page {
        let (language, words) = words(for: request)
        return Page(
            title: words.title,
            body: """
                <h1>\(words.title)</h1>
                <p>\(words.about)</p>
                <h2>\(words.code)</h2>
                <p class="code" translate="no">\(spelled(code, unseen: "spoken"))</p>
                <h2>\(words.how)</h2>
                <ol>
                <li>\(appLinks.isEmpty ? words.open : "\(words.get)\n\(list(appLinks))")</li>
                <li>\(words.signIn)</li>
                <li>\(words.enter)</li>
                </ol>
                <p class="note">\(words.note)</p>
                """,
            language: language, preview: Page.Preview(description: words.about, image: nil))
    }

    /// The letter as the web client draws it (`screens/join`), which a browser shows until the client's program is there. A reader
    /// without JavaScript gets the code in large letters, and the way by the app.
    func letter(_ code: String, for request: Request) -> WebPage {
        let (language, words) = words(for: request)
        let base = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        let preview = Page.Preview(description: words.about, image: "\(base)/icons/icon-512.png")
        let apps =
            appLinks.isEmpty ? "" : "<p class=\"quiet small center\">\(words.inApp) \(row(appLinks))</p>"
        return WebPage(
            language: language.rawValue,
            head: """
                <title>\(words.title)</title>
                <meta name="robots" content="noindex">
                \(preview.tags(title: words.title))
                """,
            screen: """
                <div class="page"><header class="bar"></header><div class="middle stack loose">
                <svg class="drawing" aria-hidden="true"></svg>
                <h1>\(words.letter)</h1>
                <p class="quiet">\(words.about)</p>
                <noscript><div class="stack">
                <h2>\(words.code)</h2>
                <p class="card code" translate="no">\(spelled(code, unseen: "unseen"))</p>
                <h2>\(words.how)</h2>
                <p>\(appLinks.isEmpty ? words.open : words.get) \(words.signIn) \(words.enter)</p>
                <p class="quiet small">\(words.note)</p>
                </div></noscript>
                <a class="button primary scripted" href="/join/\(Page.escaped(code))">\(words.join)</a>
                <p class="quiet small center scripted">\(words.code) \
                <span translate="no">\(spelled(code, unseen: "unseen"))</span></p>
                \(apps)
                </div></div>
                """,
            screens: ["join/join", "phone/phone", "code/code", "name/name"].map { "screens/\($0).js" },
            path: "/i/\(code)")
    }

    /// Screen readers spell the code letter by letter. Selecting and copying takes the code alone.
    private func spelled(_ code: String, unseen: String) -> String {
        let letters = code.map { Page.escaped(String($0)) }.joined(separator: " ")
        return "<span aria-hidden=\"true\">\(Page.escaped(code))</span>"
            + "<span class=\"\(unseen)\">\(letters)</span>"
    }

    /// The page that asks for the code again.
    func missing(_ mistake: TypedInvitationCode, for request: Request) -> Page {
        let (language, words) = words(for: request)
        let hint =
            switch mistake {
            case .misread: words.misread
            case .foreign: words.foreign
            default: words.incomplete
            }
        return Page(
            status: .notFound, title: words.missing,
            body: """
                <h1>\(words.missing)</h1>
                <p>\(hint)</p>
                <form action="/i" method="get">
                <label for="code">\(words.code)</label>
                <input id="code" name="code" type="text" autocomplete="off" autocapitalize="characters" \
                spellcheck="false" translate="no" required>
                <button>\(words.show)</button>
                </form>
                """,
            language: language, hasForm: true)
    }

    private func words(for request: Request) -> (PageLanguage, InvitationWords) {
        let language = PageLanguage(
            accepting: request.headers[values: .acceptLanguage].joined(separator: ","))
        return (language, language == .german ? .german : .english)
    }

    private var appLinks: [String] {
        let targets = [
            ("App Store", links.appStore), ("Google Play", links.playStore), ("Dayly", links.download),
        ]
        return targets.compactMap { name, url in
            url.map { "<a rel=\"noreferrer\" href=\"\(Page.escaped($0))\">\(name)</a>" }
        }
    }

    private func list(_ links: [String]) -> String {
        "<ul class=\"links\">\n\(links.map { "<li>\($0)</li>" }.joined(separator: "\n"))\n</ul>"
    }

    private func row(_ links: [String]) -> String { links.joined(separator: " · ") }
}
