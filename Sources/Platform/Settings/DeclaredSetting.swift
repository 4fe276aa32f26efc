/// A setting without the type of its value: the facts of its declaration, and where its value comes from.
package final class DeclaredSetting: Sendable {
    package let key: String
    package let fallback: SettingDefault
    package let meaning: String
    /// A sentence for an operator whose value is missing or malformed.
    package let remedy: String
    package let isSecret: Bool
    /// Nil: the setting has no value.
    package let origin: SettingOrigin?
    private let complain: @Sendable (String) -> String?
    private let mask: @Sendable (String) -> String

    init(
        key: String, kind: SettingKind<some Sendable>, fallback: SettingDefault, meaning: String,
        remedy: String?,
        isSecret: Bool, origin: SettingOrigin?
    ) {
        self.key = key
        self.fallback = fallback
        self.meaning = meaning
        self.remedy = remedy ?? "Set \(Self.variable(of: key)), or \(key) in the --config file."
        self.isSecret = isSecret
        self.origin = origin
        complain = { kind.complaint(about: $0) }
        mask = kind.mask
    }

    /// The environment variable: `storage.s3.bucket` is `DAYLY_STORAGE_S3_BUCKET`.
    package var variable: String { Self.variable(of: key) }

    package static let variablePrefix = "DAYLY_"

    private static func variable(of key: String) -> String {
        variablePrefix + key.uppercased().replacing(".", with: "_")
    }

    /// Whether the environment or the file gives the value.
    package var isGiven: Bool { origin == .environment || origin == .file }

    /// Whether the setting has neither a given value nor a default.
    package var isMissing: Bool { origin == nil }

    /// The fault of a text, as the end of a sentence that starts with the key. Nil: it has none.
    package func complaint(about text: String) -> String? { complain(text) }

    /// The value as anybody may see it.
    package func shown(_ text: String) -> String { isSecret ? Masking.hidden(text) : mask(text) }
}

/// Where a value comes from. The raw values are what `dayly config` shows.
package enum SettingOrigin: String, Sendable {
    case environment, file, fallback = "default"
}

/// The text that applies when nothing is given.
package struct SettingDefault: Sendable, ExpressibleByStringLiteral {
    /// The default as `docs/configuration.md` shows it, in Markdown. Empty: there is none.
    package let shown: String
    let text: @Sendable (_ text: (String) -> String?) -> String?

    package static let none = SettingDefault(shown: "") { _ in nil }

    package init(stringLiteral text: String) {
        self.init(shown: "`\(text)`") { _ in text }
    }

    private init(shown: String, text: @escaping @Sendable ((String) -> String?) -> String?) {
        self.shown = shown
        self.text = text
    }

    /// A default that follows from other settings or from the machine.
    ///
    /// - Parameters:
    ///   - shown: what it follows from, in Markdown.
    ///   - text: gets a function that gives the text of a key in force. Outside a configuration that is always nil.
    package static func derived(
        _ shown: String, text: @escaping @Sendable (_ text: (String) -> String?) -> String?
    ) -> SettingDefault {
        SettingDefault(shown: shown, text: text)
    }
}
