import Foundation
import Settings

extension SettingValues {
    /// Reads the environment first, then the file, then the defaults.
    package static func read(
        environment: [String: String], file: String?
    ) throws(ConfigurationFileError) -> SettingValues {
        try read(environment: environment, files: file.map { [$0] } ?? [])
    }

    /// Reads the environment first, then the files, then the defaults.
    ///
    /// - Parameters:
    ///   - environment: the process's variables; an empty one counts as not given.
    ///   - files: the paths of YAML or JSON files. A later one wins over an earlier one.
    /// - Throws: `ConfigurationFileError`.
    package static func read(
        environment: [String: String], files: [String]
    ) throws(ConfigurationFileError) -> SettingValues {
        let declared = ServerConfiguration.declared
        var contents: [ConfigurationFile] = []
        for file in files { contents.insert(try ConfigurationFile.read(file), at: 0) }
        var given: [String: Entry] = [:]
        for setting in declared {
            if let text = ConfigurationFile.text(environment[setting.variable]) {
                given[setting.key] = Entry(text: text, origin: .environment)
            } else if let text = contents.lazy.compactMap({ $0.text(setting.key) }).first {
                given[setting.key] = Entry(text: text, origin: .file)
            }
        }
        let variables = environment.keys.filter {
            $0.hasPrefix(DeclaredSetting.variablePrefix) && !$0.hasPrefix("DAYLY_TEST_")
        }
        return SettingValues(
            declared, given: given,
            unknown: unknownNames(in: variables, known: declared.map(\.variable))
                + unknownNames(in: contents.flatMap(\.keys), known: declared.map(\.key)))
    }

    private static func unknownNames(in names: [String], known: [String]) -> [UnknownSetting] {
        names.filter { !known.contains($0) }.sorted().map { name in
            let nearest = known.map { ($0, editDistance(name, $0)) }.min { $0.1 < $1.1 }
            let isNear = (nearest?.1 ?? .max) <= max(2, name.count / 4)
            return UnknownSetting(name: name, suggestion: isNear ? nearest?.0 : nil)
        }
    }

    /// Levenshtein's distance.
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (line, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let substitution = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
