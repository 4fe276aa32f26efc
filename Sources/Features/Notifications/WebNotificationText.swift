import Push

/// The texts of push messages for browsers. Other platforms' apps have texts of their own; a browser gets its texts with the
/// message, which only it can read.
package struct WebNotificationText: Sendable {
    private struct Words: Sendable {
        let photo: String
        let invitation: String
        let test: String
    }

    private let publicURL: String

    /// - Parameter publicURL: where the pages of the web client are.
    package init(publicURL: String) {
        self.publicURL = publicURL
    }

    /// The message in the language, or in English where this service does not have the language.
    package func callAsFunction(_ message: PushMessage, language: String) -> WebPushText {
        let known = language.lowercased().split(separator: "-").first.map(String.init) ?? ""
        let language = Self.words[known] == nil ? "en" : known
        let words = Self.words[language] ?? Self.english
        let (body, path) =
            switch message.data["kind"].flatMap(NotificationKind.init) {
            case .photo: (words.photo, "/g/\(message.data["group_id"] ?? "")")
            case .invitation: (words.invitation, "/invites")
            case nil: (words.test, "/")
            }
        return WebPushText(
            title: message.name ?? "Dayly", body: body, language: language, url: publicURL + path)
    }

    private static let english = Words(
        photo: "The first photo of the day is here.", invitation: "You are invited to a group.",
        test: "Push messages reach this browser.")

    private static let words = [
        "en": english,
        "de": Words(
            photo: "Das erste Foto des Tages ist da.", invitation: "Du bist in eine Gruppe eingeladen.",
            test: "Nachrichten erreichen diesen Browser."),
    ]
}
