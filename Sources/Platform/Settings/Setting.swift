/// Declares a setting in one line: its key, the form of its text, its default and its meaning.
///
/// ```swift
/// @Setting("photos.lifetime", .duration(.seconds(1) ... .days(365)), default: "48h", "How long a photo can be seen.")
/// package var lifetime: Duration
/// ```
///
/// Inside `SettingSource.$current.withValue(source) { … }` the property gets its value from the source; anywhere else
/// it gets the default. The projected value (`$lifetime`) names the setting in complaints.
@propertyWrapper
package struct Setting<Value: Sendable>: Sendable {
    package var wrappedValue: Value
    package let projectedValue: DeclaredSetting

    /// - Parameters:
    ///   - key: the name in the configuration file.
    ///   - fallback: the text that applies when nothing is given. Without one the setting is required, or it is an
    ///     empty list; its value is the kind's placeholder then.
    ///   - meaning: one or two short sentences for `docs/configuration.md`.
    ///   - remedy: a sentence for an operator whose value is missing or malformed.
    ///   - secret: whether the value is never shown.
    package init(
        _ key: String, _ kind: SettingKind<Value>, default fallback: SettingDefault = .none,
        _ meaning: String,
        remedy: String? = nil, secret: Bool = false
    ) {
        let source = SettingSource.current
        let given = source?.values[key]
        let declared = DeclaredSetting(
            key: key, kind: kind, fallback: fallback, meaning: meaning, remedy: remedy, isSecret: secret,
            origin: source == nil ? .fallback : given?.origin)
        source?.record(declared, given)
        projectedValue = declared
        let texts = [given?.text, fallback.text { _ in nil }]
        guard let value = texts.lazy.compactMap({ $0 }).compactMap(kind.value).first ?? kind.placeholder
        else {
            fatalError("The declaration of \(key) has neither a valid default nor a kind with a placeholder.")
        }
        wrappedValue = value
    }

    /// A setting that may be left out: without a default it is nil.
    package init<Wrapped>(
        _ key: String, _ kind: SettingKind<Wrapped>, default fallback: SettingDefault = .none,
        _ meaning: String, remedy: String? = nil, secret: Bool = false
    ) where Value == Wrapped? {
        self.init(key, kind.optional, default: fallback, meaning, remedy: remedy, secret: secret)
    }
}

/// Settings that belong together, each a property with `@Setting`. `init()` reads all of them.
package protocol SettingGroup: Sendable {
    init()
}
