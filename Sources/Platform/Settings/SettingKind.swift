/// The form of a setting's text, and the value that the text stands for.
package struct SettingKind<Value: Sendable>: Sendable {
    /// Stands for a value that is missing or malformed, until all problems are found and thrown together. Nil: a
    /// setting of this kind needs a default.
    let placeholder: Value?
    let parse: @Sendable (String) throws(MalformedSetting) -> Value
    let mask: @Sendable (String) -> String

    /// - Parameters:
    ///   - mask: the text as anybody may see it.
    ///   - parse: throws `MalformedSetting` with the end of a sentence that starts with the key.
    package init(
        placeholder: Value?, mask: @escaping @Sendable (String) -> String = Masking.shown,
        parse: @escaping @Sendable (String) throws(MalformedSetting) -> Value
    ) {
        self.placeholder = placeholder
        self.mask = mask
        self.parse = parse
    }

    package func value(_ text: String) -> Value? { try? parse(text) }

    /// Nil: nothing is wrong with the text. A complaint never quotes a secret.
    package func complaint(about text: String) -> String? {
        do throws(MalformedSetting) {
            _ = try parse(text)
            return nil
        } catch {
            return error.complaint
        }
    }

    var optional: SettingKind<Value?> {
        SettingKind<Value?>(placeholder: .some(nil), mask: mask, parse: parse)
    }
}

/// A text that a setting cannot have.
package struct MalformedSetting: Error {
    /// The end of a sentence that starts with the key.
    package let complaint: String

    package init(_ complaint: String) {
        self.complaint = complaint
    }

    /// The text in quotation marks, without what may be secret in it.
    package static func quoted(_ text: String) -> String { "“\(Masking.shown(text).prefix(80))”" }

    /// The texts in quotation marks, one after the other.
    package static func quoted(_ texts: [String]) -> String { texts.map(quoted).joined(separator: ", ") }
}
