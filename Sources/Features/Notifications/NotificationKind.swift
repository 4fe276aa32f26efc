/// The kinds of notifications. Apps switch on the raw value, and it is a part of the keys of their localised texts.
package enum NotificationKind: String, Codable, Sendable, CaseIterable {
    case photo
    case invitation

    /// The key of the title among the app's own texts.
    var titleKey: String { "push_\(rawValue)_title" }
    /// The key of the body among the app's own texts.
    var bodyKey: String { "push_\(rawValue)_body" }
}
