/// One fault of the configuration, and what removes it.
package struct ConfigurationProblem: Sendable, Equatable {
    /// The key in a file.
    package let key: String
    /// The environment variable.
    package let variable: String
    /// The end of a sentence that starts with the key: `is missing`.
    package let complaint: String
    package let remedy: String

    /// - Parameter remedy: the setting's own remedy where it is nil.
    package init(_ setting: DeclaredSetting, _ complaint: String, remedy: String? = nil) {
        key = setting.key
        variable = setting.variable
        self.complaint = complaint
        self.remedy = remedy ?? setting.remedy
    }
}

/// All faults of the configuration at once.
package struct ConfigurationProblems: Error, Sendable, CustomStringConvertible {
    package let problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

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

/// A name in the environment or the file that is not a setting; most likely a typing error.
package struct UnknownSetting: Sendable, Equatable {
    package let name: String
    /// The nearest name of a setting, where one is near enough.
    package let suggestion: String?

    package init(name: String, suggestion: String?) {
        self.name = name
        self.suggestion = suggestion
    }

    package var message: String {
        "\(shownName) is not a setting of this version and is ignored."
            + (suggestion.map { " Did you mean \($0)?" } ?? "")
    }

    /// The name up to the first character that no setting's name has. A value may have slipped into the name, as in
    /// `auth.secret=…:`.
    private var shownName: String {
        let letters = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        return letters.count == name.count ? name : letters + "…"
    }
}
