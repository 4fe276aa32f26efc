import Synchronization

/// Gives settings their values while a configuration is read, and keeps what was declared and what is wrong.
package final class SettingSource: Sendable {
    /// The source of every setting that is made in this task. Nil: settings have their defaults.
    @TaskLocal package static var current: SettingSource?

    let values: SettingValues
    private let records = Mutex((declared: [DeclaredSetting](), problems: [ConfigurationProblem]()))

    package init(_ values: SettingValues = SettingValues()) {
        self.values = values
    }

    /// In the order of their declarations.
    package var declared: [DeclaredSetting] { records.withLock(\.declared) }

    /// Every value that is malformed.
    package var problems: [ConfigurationProblem] { records.withLock(\.problems) }

    /// A default follows from given values. A complaint about both would say the same thing twice.
    func record(_ setting: DeclaredSetting, _ given: SettingValues.Entry?) {
        let complaint = setting.isGiven ? given.flatMap { setting.complaint(about: $0.text) } : nil
        records.withLock { records in
            records.declared.append(setting)
            if let complaint { records.problems.append(ConfigurationProblem(setting, complaint)) }
        }
    }
}

/// The text of each setting in force, by key, and where it comes from.
package struct SettingValues: Sendable {
    package struct Entry: Sendable {
        package let text: String
        package let origin: SettingOrigin

        package init(text: String, origin: SettingOrigin) {
            self.text = text
            self.origin = origin
        }
    }

    /// In the order of their declarations.
    package let declared: [DeclaredSetting]
    /// Names that look like settings but are not.
    package let unknown: [UnknownSetting]
    private var entries: [String: Entry]

    /// - Parameter given: the texts of the environment and the file, by key. Defaults are added to them.
    package init(
        _ declared: [DeclaredSetting] = [], given: [String: Entry] = [:], unknown: [UnknownSetting] = []
    ) {
        self.declared = declared
        self.unknown = unknown
        let fallbacks = Dictionary(declared.map { ($0.key, $0.fallback) }) { first, _ in first }
        func text(_ key: String) -> String? { given[key]?.text ?? fallbacks[key]?.text(text) }
        entries = given
        for key in fallbacks.keys where given[key] == nil {
            entries[key] = text(key).map { Entry(text: $0, origin: .fallback) }
        }
    }

    package subscript(_ key: String) -> Entry? { entries[key] }
}
