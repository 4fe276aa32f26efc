import Groups
import Hummingbird

/// The pages behind an invitation's link: the code, or the request to type it again.
struct InvitationPage: Sendable {
    let links: LinkSettings
    /// Whether the web client is served, in which an invitee can join without installing anything.
    let hasWebClient: Bool
    let publicURL: String

    func invitation(_ code: String, for request: Request) -> Page {
        let (language, words) = words(for: request)
        let code = Page.escaped(code)
        // Screen readers spell the code letter by letter. Selecting and copying takes the code alone.
        let spelled = code.map(String.init).joined(separator: " ")
        let join = "<p class=\"links\"><a href=\"/join/\(code)\">\(words.join)</a></p>"
        return Page(
            title: words.title,
            body: """
                <h1>\(words.title)</h1>
                <p>\(words.about)</p>
                <h2>\(words.code)</h2>
                <p class="code" translate="no"><span aria-hidden="true">\(code)</span>\
                <span class="spoken">\(spelled)</span></p>
                \(hasWebClient ? join : "")
                <h2>\(hasWebClient ? words.inApp : words.how)</h2>
                <ol>
                <li>\(appLinks.isEmpty ? words.open : "\(words.get)\n\(appLinks)")</li>
                <li>\(words.signIn)</li>
                <li>\(words.enter)</li>
                </ol>
                <p class="note">\(words.note)</p>
                """,
            language: language, preview: preview(words))
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

    /// The service has no picture of its own without the web client.
    private func preview(_ words: InvitationWords) -> Page.Preview {
        let base = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        return Page.Preview(
            description: words.about, image: hasWebClient ? "\(base)/icons/icon-512.png" : nil)
    }

    private var appLinks: String {
        let targets = [
            ("App Store", links.appStore), ("Google Play", links.playStore), ("Dayly", links.download),
        ]
        let items = targets.compactMap { name, url in
            url.map { "<li><a rel=\"noreferrer\" href=\"\(Page.escaped($0))\">\(name)</a></li>" }
        }
        return items.isEmpty ? "" : "<ul class=\"links\">\n\(items.joined(separator: "\n"))\n</ul>"
    }
}
