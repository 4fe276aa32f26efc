import Push

/// One kind of notification in a browser: the text, and the page that opens when it is pressed. Other platforms' apps have texts of their
/// own; a browser gets its texts with the message, which only it can read.
package struct WebNotification: Sendable {
    /// The path of a page of the web client.
    let page: @Sendable (_ data: [String: String]) -> String
    /// The body by language.
    let words: [String: Words]

    /// A text, or the choice of one by the message's data.
    package struct Words: ExpressibleByStringLiteral, Sendable {
        /// Nil where no text belongs to the data.
        let body: @Sendable (_ data: [String: String]) -> String?

        package init(stringLiteral text: String) {
            body = { _ in text }
        }

        package init(_ body: @escaping @Sendable (_ data: [String: String]) -> String?) {
            self.body = body
        }
    }

    /// - Parameter words: by language. English is one of them.
    package init(page: String, _ words: [String: Words]) {
        self.init(page: { _ in page }, words)
    }

    package init(page: @escaping @Sendable (_ data: [String: String]) -> String, _ words: [String: Words]) {
        self.page = page
        self.words = words
    }

    /// Notifications that open the same page.
    /// - Parameter texts: by language, and in it by kind. English has each kind.
    package static func all(
        page: String, _ texts: [String: [String: String]]
    ) -> [NotificationKind: WebNotification] {
        let kinds = texts["en", default: [:]].keys
        return kinds.reduce(into: [:]) { all, kind in
            let words = texts.compactMapValues { $0[kind].map(Words.init(stringLiteral:)) }
            all[NotificationKind(rawValue: kind)] = WebNotification(page: page, words)
        }
    }
}

/// The texts of push messages for browsers.
package struct WebNotificationText: Sendable {
    private static let test = WebNotification(
        page: "/",
        ["en": "Notifications reach this browser.", "de": "Mitteilungen erreichen diesen Browser."])

    private let publicURL: String
    private let notifications: [NotificationKind: WebNotification]

    /// - Parameters:
    ///   - publicURL: where the pages of the web client are.
    ///   - notifications: those of all features. A message of another kind is a test.
    package init(publicURL: String, notifications: [NotificationKind: WebNotification]) {
        self.publicURL = publicURL
        self.notifications = notifications
    }

    /// The message in the language, or in English where this service does not have the language.
    package func callAsFunction(_ message: PushMessage, language: String) -> WebPushText {
        let kind = message.data["kind"].map(NotificationKind.init)
        let notification = kind.flatMap { notifications[$0] } ?? Self.test
        let wanted = language.lowercased().split(separator: "-").first.map(String.init) ?? ""
        let known = notification.words[wanted] == nil ? "en" : wanted
        let body = notification.words[known]?.body(message.data) ?? Self.test.words[known]?.body([:])
        return WebPushText(
            title: message.name ?? "Dayly", body: body ?? "", language: known,
            url: publicURL + notification.page(message.data))
    }
}
