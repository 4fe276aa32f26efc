import Configuration
import Foundation
import PhotoWorkers

/// The text of every setting and where it came from: the environment first, then the file, then the default.
package struct SettingValues: Sendable {
    package enum Source: String, Sendable {
        case environment, file, fallback = "default"
    }

    struct Entry: Sendable {
        let text: String
        let source: Source
    }

    private var entries: [Setting: Entry] = [:]

    /// Names that look like settings and are none.
    package private(set) var unknown: [UnknownSetting] = []

    /// - Parameters:
    ///   - environment: the process's variables; an empty one counts as not given.
    ///   - file: the path of a YAML or JSON file (JSON is read as the YAML it is), nil for none.
    /// - Throws: `ConfigurationFileError` when the file cannot be read or is neither.
    package static func read(environment: [String: String], file: String?) async throws -> SettingValues {
        var values = SettingValues()
        let variables = EnvironmentVariablesProvider(environmentVariables: environment)
        let contents = try await file.asyncMap(ConfigurationFile.read)
        for setting in Setting.allCases {
            let key = setting.key.split(separator: ".").map(String.init)
            let variable = try variables.value(forKey: AbsoluteConfigKey(["dayly"] + key), type: .string)
            if let text = Self.text(variable.value?.content) {
                values.entries[setting] = Entry(text: text, source: .environment)
            } else if let text = contents?.text(key) {
                values.entries[setting] = Entry(text: text, source: .file)
            } else if let text = setting.fallback {
                values.entries[setting] = Entry(text: text, source: .fallback)
            }
        }
        values.unknown =
            unknownNames(
                in: environment.keys.filter { $0.hasPrefix(Setting.variablePrefix) && !isForTests($0) },
                known: Setting.allCases.map(\.variable))
            + unknownNames(in: contents?.keys ?? [], known: Setting.allCases.map(\.key))
        values.derive()
        return values
    }

    package func text(_ setting: Setting) -> String? {
        entries[setting]?.text
    }

    package func source(_ setting: Setting) -> Source {
        entries[setting]?.source ?? .fallback
    }

    /// Defaults that follow from other settings, or from where the executable lies.
    private mutating func derive() {
        let isDevelopment = text(.environment) == "development"
        setDefault(.dataDirectory, isDevelopment ? ".dayly/data" : "/var/lib/dayly")
        setDefault(.storagePath, (text(.dataDirectory) ?? ".") + "/objects")
        setDefault(.logFormat, isDevelopment ? "text" : "json")
        setDefault(.s3PublicEndpoint, text(.s3Endpoint))
        setDefault(.databaseMigrationsPath, Surroundings.migrationsPath())
        setDefault(.photosWorkerPath, ImageProcessorConfiguration.defaultWorkerPath())
        setDefault(.httpMaxRequests, String(16 * (text(.databaseMaxConnections).flatMap { Int($0) } ?? 8)))
        setDefault(.eventsStreams, text(.httpMaxConnections).flatMap(Int.init).map { String($0 / 5 * 4) })
        setDefault(.photosWorkers, String(ProcessInfo.processInfo.activeProcessorCount))
        if isDevelopment {
            setDefault(.httpPublicURL, "http://127.0.0.1:" + (text(.httpPort) ?? "8080"))
            setDefault(.smsKind, "console")
        }
    }

    private mutating func setDefault(_ setting: Setting, _ text: String?) {
        guard entries[setting] == nil, let text else { return }
        entries[setting] = Entry(text: text, source: .fallback)
    }
}

extension SettingValues {
    static func text(_ content: ConfigContent?) -> String? {
        let text: String
        switch content {
        case .string(let value): text = value.trimmingCharacters(in: .whitespacesAndNewlines)
        case .stringArray(let values): text = values.joined(separator: ",")
        default: return nil
        }
        return ["", "~", "null"].contains(text) ? nil : text
    }
}

extension SettingValues {
    /// What the project's own tests are told is no setting.
    private static func isForTests(_ variable: String) -> Bool {
        variable.hasPrefix("DAYLY_TEST_")
    }

    private static func unknownNames(in names: [String], known: [String]) -> [UnknownSetting] {
        names.filter { !known.contains($0) }.sorted().map { name in
            let nearest = known.map { ($0, editDistance(name, $0)) }.min { $0.1 < $1.1 }
            let isNear = (nearest?.1 ?? .max) <= max(2, name.count / 4)
            return UnknownSetting(name: name, suggestion: isNear ? nearest?.0 : nil)
        }
    }

    /// Levenshtein's distance.
    static func editDistance(_ left: String, _ right: String) -> Int {
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

extension Optional {
    fileprivate func asyncMap<Result>(
        _ transform: (Wrapped) async throws -> Result
    ) async throws -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
