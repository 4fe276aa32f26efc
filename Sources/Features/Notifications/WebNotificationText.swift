import Push

/// The texts of push messages for browsers. Other platforms' apps have texts of their own; a browser gets its texts with the
/// message, which only it can read.
package struct WebNotificationText: Sendable {
    private let publicURL: String

    /// - Parameter publicURL: where the pages of the web client are.
    package init(publicURL: String) {
        self.publicURL = publicURL
    }

    /// The message in the language, or in English where this service does not have the language.
    package func callAsFunction(_ message: PushMessage, language: String) -> WebPushText {
        let known = language.lowercased().split(separator: "-").first.map(String.init) ?? ""
        let words = WebNotificationWords.all[known] ?? .english
        return WebPushText(
            title: message.name ?? "Dayly", body: words.body(of: message), language: words.language,
            url: publicURL + Self.path(of: message))
    }

    /// The page to open.
    private static func path(of message: PushMessage) -> String {
        switch message.data["kind"].flatMap(NotificationKind.init) {
        case .photo: "/g/\(message.data["group_id"] ?? "")"
        case .invitation: "/invites"
        case .temptation, .results, .review, .morning, .partnerPrompt, .partnerBreak, .partnerRequest:
            "/focus"
        case .companionNightly, .companionPetSick, .companionPetDying, .companionPetDead: "/companion"
        case .signedOut, nil: "/"
        }
    }
}
