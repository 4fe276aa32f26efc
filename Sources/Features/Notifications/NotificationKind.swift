/// The kind of a notification. Apps switch on the raw value, and it is a part of the keys of their localised texts. The
/// feature that sends the kind declares it.
package struct NotificationKind: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    static let invitation = NotificationKind(rawValue: "invitation")
    /// The device's session was ended from elsewhere. It is sent to that device alone.
    static let signedOut = NotificationKind(rawValue: "signed_out")

    /// The key of the title among the app's own texts.
    var titleKey: String { "push_\(rawValue)_title" }
    /// The key of the body among the app's own texts.
    var bodyKey: String { "push_\(rawValue)_body" }
}
