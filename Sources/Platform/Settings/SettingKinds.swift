import Foundation

private typealias Malformed = MalformedSetting

extension SettingKind where Value == String {
    package static var text: Self {
        Self(placeholder: "") { text throws(MalformedSetting) in
            if text.contains("\0") { throw Malformed("holds a NUL byte") }
            return text
        }
    }

    /// The path of a file or a folder.
    package static var path: Self { text }

    package static func secret(minBytes: Int) -> Self {
        Self(placeholder: "", mask: Masking.hidden) { text throws(MalformedSetting) in
            guard text.utf8.count >= minBytes else {
                throw Malformed("is \(text.utf8.count) bytes long; at least \(minBytes) are needed")
            }
            return text
        }
    }

    /// A libpq URL.
    package static var databaseURL: Self {
        Self(placeholder: "", mask: Masking.databaseURL) { text throws(MalformedSetting) in
            guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
                throw Malformed(
                    "is not a libpq URL. One looks like postgresql://user:password@host:5432/dayly")
            }
            return text
        }
    }

    /// An http or https URL without a user; its closing slashes are dropped.
    package static var webURL: Self {
        Self(placeholder: "", mask: Masking.webURL) { text throws(MalformedSetting) in
            if text.contains("@") {
                throw Malformed("holds a user name or password, which does not belong there")
            }
            let parts = URLComponents(string: text)
            guard let parts, ["http", "https"].contains(parts.scheme?.lowercased()),
                parts.host?.isEmpty == false, parts.fragment == nil
            else {
                // The complaint does not quote the text: it may be a URL with a password and a typing error.
                throw Malformed("is not a URL. A URL starts with https:// (or http://) and a host")
            }
            return String(text.reversed().drop { $0 == "/" }.reversed())
        }
    }

    /// A text that another party has given out and that its form identifies.
    ///
    /// - Parameters:
    ///   - name: the noun of the complaint, with its article.
    ///   - pattern: a regular expression for the whole text.
    package static func form(_ name: String, like example: String, _ pattern: String) -> Self {
        Self(placeholder: "") { text throws(MalformedSetting) in
            guard (try? Regex(pattern).wholeMatch(in: text)) != nil else {
                throw Malformed(
                    "is \(Malformed.quoted(text)), which is not \(name). One looks like \(example)")
            }
            return text
        }
    }
}

extension SettingKind where Value == Int {
    package static func number(_ range: ClosedRange<Int>) -> Self {
        Self(placeholder: range.lowerBound) { text throws(MalformedSetting) in
            guard let value = Int(text) else {
                throw Malformed("is not a whole number: \(Malformed.quoted(text))")
            }
            guard range.contains(value) else {
                throw Malformed("is \(value); it must be between \(range.lowerBound) and \(range.upperBound)")
            }
            return value
        }
    }

    package static func bytes(_ range: ClosedRange<Int>) -> Self {
        Self(placeholder: range.lowerBound) { text throws(MalformedSetting) in
            guard let value = SettingText.bytes(text) else {
                throw Malformed(
                    "is not a size: \(Malformed.quoted(text)). Sizes look like 10485760, 512KiB or 10MiB")
            }
            guard range.contains(value) else {
                throw Malformed(
                    "is \(value) bytes; it must be between \(range.lowerBound) and \(range.upperBound)")
            }
            return value
        }
    }
}

extension SettingKind where Value == Int {
    /// A duration that must be a whole number of seconds.
    package static func wholeSeconds(_ range: ClosedRange<Int64>) -> Self {
        let duration = SettingKind<Duration>.duration(
            .seconds(range.lowerBound) ... .seconds(range.upperBound))
        return Self(placeholder: Int(range.lowerBound)) { text throws(MalformedSetting) in
            let (seconds, fraction) = try duration.parse(text).components
            guard fraction == 0 else { throw Malformed("is not a whole number of seconds") }
            return Int(seconds)
        }
    }
}

extension SettingKind where Value == URL {
    /// An http or https URL without a user; its closing slashes are dropped.
    package static var webURL: Self {
        let url = SettingKind<String>.webURL
        return Self(placeholder: URL(filePath: "/"), mask: url.mask) { text throws(MalformedSetting) in
            URL(string: try url.parse(text)) ?? URL(filePath: "/")
        }
    }
}

extension SettingKind where Value == Duration {
    package static func duration(_ range: ClosedRange<Duration>) -> Self {
        Self(placeholder: range.lowerBound) { text throws(MalformedSetting) in
            guard let value = SettingText.duration(text) else {
                throw Malformed(
                    "is not a duration: \(Malformed.quoted(text)). Durations look like 30s, 5m, 48h or 7d")
            }
            guard range.contains(value) else {
                let bounds = [range.lowerBound, range.upperBound].map(SettingText.text)
                throw Malformed("is \(text); it must be between \(bounds[0]) and \(bounds[1])")
            }
            return value
        }
    }
}

extension SettingKind where Value == Bool {
    package static var flag: Self {
        Self(placeholder: false) { text throws(MalformedSetting) in
            switch text.lowercased() {
            case "true", "yes", "on", "1": return true
            case "false", "no", "off", "0": return false
            default: throw Malformed("is neither true nor false: \(Malformed.quoted(text))")
            }
        }
    }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases.
    package static var choice: Self {
        Self(placeholder: nil) { text throws(MalformedSetting) in
            guard let value = Value(rawValue: text) else {
                let allowed = Value.allCases.map(\.rawValue).joined(separator: " or ")
                throw Malformed("is \(Malformed.quoted(text)); it must be \(allowed)")
            }
            return value
        }
    }
}

extension SettingKind {
    /// Any of the cases, at least one, in the order given.
    package static func choices<Choice>() -> Self
    where Value == [Choice], Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        Self(placeholder: []) { text throws(MalformedSetting) in
            let items = SettingText.list(text)
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            guard !items.isEmpty else { throw Malformed("is empty; it must hold any of \(allowed)") }
            let unknown = items.filter { Choice(rawValue: $0) == nil }
            guard unknown.isEmpty else {
                throw Malformed("holds \(Malformed.quoted(unknown)); it may hold \(allowed)")
            }
            return items.compactMap(Choice.init)
        }
    }

    package static func choices<Choice>() -> Self
    where Value == Set<Choice>, Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        let list = SettingKind<[Choice]>.choices()
        return Self(placeholder: [], mask: list.mask) { text throws(MalformedSetting) in
            Set(try list.parse(text))
        }
    }

    /// A comma-separated list. A complaint names all items that the kind refuses.
    ///
    /// - Parameter fault: what is wrong with such an item, as the end of "holds …, which is".
    package static func list<Item>(of kind: SettingKind<Item>, fault: String) -> Self where Value == [Item] {
        Self(placeholder: [], mask: { SettingText.list($0).map(kind.mask).joined(separator: ",") }) {
            text throws(MalformedSetting) in
            let items = SettingText.list(text)
            let wrong = items.filter { kind.value($0) == nil }
            guard wrong.isEmpty else {
                throw Malformed("holds \(Malformed.quoted(wrong)), which is \(fault)")
            }
            return items.compactMap(kind.value)
        }
    }
}

extension SettingKind where Value == [String] {
    /// Paths of files, at least one.
    package static var paths: Self {
        Self(placeholder: []) { text throws(MalformedSetting) in
            let paths = SettingText.list(text)
            guard !paths.isEmpty else { throw Malformed("does not name a file") }
            return paths
        }
    }

    /// A comma within a secret is written `\,`.
    package static func secrets(minBytes: Int) -> Self {
        Self(placeholder: [], mask: Masking.hidden) { text throws(MalformedSetting) in
            let secrets = SettingText.escapedList(text)
            for (index, secret) in secrets.enumerated() where secret.utf8.count < minBytes {
                throw Malformed(
                    "has an entry (number \(index + 1)) of \(secret.utf8.count) bytes; at least \(minBytes) "
                        + "are "
                        + "needed. A comma ends an entry; a comma within an entry is written \\,")
            }
            return secrets
        }
    }

    /// Texts of a form, as `form` has it.
    package static func forms(_ name: String, like example: String, _ pattern: String) -> Self {
        .list(of: .form(name, like: example, pattern), fault: "not \(name). One looks like \(example)")
    }

    /// IP addresses and blocks of them.
    package static var addresses: Self {
        let address = SettingKind<String>(placeholder: "") { text throws(MalformedSetting) in
            guard SettingText.isAddressBlock(text) else { throw Malformed("") }
            return text
        }
        return .list(of: address, fault: "not an address. Addresses look like 10.0.0.7, 10.0.0.0/8 or ::1")
    }
}
