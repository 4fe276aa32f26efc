/// One thing that is wrong with the configuration, and what mends it.
package struct ConfigurationProblem: Sendable, Equatable {
    let setting: Setting
    /// The key, as a file has it.
    package let key: String
    /// Its environment variable.
    package let variable: String
    /// The end of a sentence that starts with the key: `is missing`.
    package let complaint: String
    package let remedy: String

    init(_ setting: Setting, _ complaint: String, remedy: String) {
        self.setting = setting
        key = setting.key
        variable = setting.variable
        self.complaint = complaint
        self.remedy = remedy
    }
}

/// Everything that is wrong with the configuration, all at once.
package struct ConfigurationProblems: Error, Sendable, CustomStringConvertible {
    package let problems: [ConfigurationProblem]

    package var description: String {
        let head =
            problems.count == 1
            ? "The configuration has a problem:" : "The configuration has \(problems.count) problems:"
        let items = problems.map { problem in
            "  \(problem.key) (\(problem.variable)) \(problem.complaint).\n      \(problem.remedy)"
        }
        return ([head] + items).joined(separator: "\n")
    }
}

/// The `--config` file cannot be used at all.
package struct ConfigurationFileError: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String {
        "The configuration file \(path) cannot be read: \(reason)\n"
            + "      Give a YAML or JSON file of the keys that `dayly config` lists, or leave --config out."
    }
}

/// A name in the environment or the file that means nothing here; most likely a slip of the pen.
package struct UnknownSetting: Sendable, Equatable {
    package let name: String
    /// The nearest name that means something, where one is near enough.
    package let suggestion: String?

    package var message: String {
        "\(shownName) is not a setting of this version and is ignored."
            + (suggestion.map { " Did you mean \($0)?" } ?? "")
    }

    /// Up to the first character that no name of a setting has. A value may have slipped into the name, as in
    /// `auth.secret=…:`.
    private var shownName: String {
        let letters = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        return letters.count == name.count ? name : letters + "…"
    }
}
