import HTTPKit
import Hummingbird

/// `GET /i/{code}`: the page of an invitation's link. It looks nothing up, so it does not reveal whether a code exists.
struct InvitationPageRoutes: Sendable {
    let links: LinkSettings
    /// Whether the web client is served, in which an invitee can join without installing anything.
    let hasWebClient: Bool

    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/i/:code") { _, context in
            let text = try? context.requireParameter("code")
            return text.flatMap(Self.code).map(invitation) ?? Self.noInvitation
        }
    }

    /// The code in its printed form; nil for a text that does not have the form of a code.
    static func code(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let code = text.uppercased().filter { $0 != "-" && $0 != " " }
        return code.count == 6 && code.allSatisfy(alphabet.contains) ? code : nil
    }

    private static let alphabet = Set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    private func invitation(_ code: String) -> Page {
        // Screen readers spell the code letter by letter. Selecting and copying takes the code alone.
        let spelled = code.map(String.init).joined(separator: " ")
        return Page(
            title: "You are invited to Dayly",
            body: """
                <h1>You are invited to Dayly</h1>
                <p>Dayly is for small groups of close friends and family. Once a day, each of you shares one photo with \
                the group. After 48 hours it is gone.</p>
                <h2>Your code</h2>
                <p class="code"><span aria-hidden="true">\(Page.escaped(code))</span>\
                <span class="spoken">\(spelled)</span></p>
                \(hasWebClient ? "<p class=\"links\"><a href=\"/join/\(Page.escaped(code))\">Join in the browser</a></p>" : "")
                <h2>\(hasWebClient ? "Or join in the app" : "How to join")</h2>
                <ol>
                <li>\(appLinks.isEmpty ? "Open Dayly on your phone." : "Get the app.\n\(appLinks)")</li>
                <li>Sign in with the phone number that got this invitation.</li>
                <li>Enter the code.</li>
                </ol>
                <p class="note">The code works once, for that phone number only, and for a few days. We do not tell the \
                person who invited you that you opened this page. If you do nothing, nothing happens.</p>
                """)
    }

    private static let noInvitation = Page(
        status: .notFound,
        title: "No invitation",
        body: """
            <h1>This is not an invitation</h1>
            <p>The link is not complete. The link of an invitation ends in a code of six letters and digits. Open it \
            again from the message, or ask for a new one.</p>
            """)

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
