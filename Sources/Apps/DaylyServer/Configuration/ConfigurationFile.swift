import Foundation
import Settings
import Yams

/// The `--config` file: the text of each of its keys.
struct ConfigurationFile: Sendable {
    /// By key, with dots between its parts. Lists are written as in the environment.
    private var texts: [String: String] = [:]

    /// Every key that has a value.
    var keys: [String] { Array(texts.keys) }

    /// - Parameter path: A YAML or JSON file. JSON is read as the YAML that it is.
    /// - Throws: `ConfigurationFileError`, whose text never quotes the file, because the file holds secrets.
    static func read(_ path: String) throws(ConfigurationFileError) -> ConfigurationFile {
        do {
            var file = ConfigurationFile()
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // A file may hold nothing but comments.
            guard let node = try Yams.compose(yaml: text), node != Node("", Tag(.null)) else { return file }
            guard let mapping = node.mapping else {
                throw ConfigurationFileError(path: path, reason: "it is not a mapping of keys to values.")
            }
            try file.add(mapping, under: [])
            return file
        } catch let error as ConfigurationFileError {
            throw error
        } catch {
            throw ConfigurationFileError(path: path, reason: reason(error, path))
        }
    }

    private mutating func add(_ mapping: Node.Mapping, under prefix: [String]) throws {
        for (key, value) in mapping {
            guard let part = key.string else { throw Unusable() }
            if let mapping = value.mapping {
                try add(mapping, under: prefix + [part])
            } else {
                texts[(prefix + [part]).joined(separator: ".")] = try Self.text(value)
            }
        }
    }

    private static func text(_ node: Node) throws -> String {
        if let scalar = node.scalar { return scalar.string }
        return try (node.sequence ?? []).map { item in
            guard let scalar = item.scalar else { throw Unusable() }
            return scalar.string
        }.joined(separator: ",")
    }

    /// A value, or a key, that no setting could have.
    private struct Unusable: Error {}

    /// The text of a value; an empty text and null count as not given.
    func text(_ key: String) -> String? { Self.text(texts[key]) }

    /// Trimmed; nil where the text counts as not given.
    static func text(_ value: String?) -> String? {
        let text = value?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return ["", "~", "null"].contains(text) ? nil : text
    }

    /// Our own words, because Yams quotes the lines around the fault.
    private static func reason(_ error: any Error, _ path: String) -> String {
        switch error {
        case let error as YamlError: reason(error)
        case is CocoaError: fileReason(path)
        default: "it holds a value that is neither text, a number, true, false nor a list of these."
        }
    }

    private static func reason(_ error: YamlError) -> String {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            return "it is not valid YAML at line \(mark.line), column \(mark.column)."
        case .duplicatedKeysInMapping(let keys, let context):
            let parts = Set(
                ServerConfiguration.declared.flatMap { $0.key.split(separator: ".") + [$0.key[...]] })
            let names = keys.filter { parts.contains($0[...]) }.sorted().map { "“\($0)”" }
            let subject = names.isEmpty ? "a key" : names.joined(separator: " and ")
            return "\(subject) is there twice, in the mapping that begins at line \(context.mark.line)."
        case .reader: return "it holds a character that YAML does not allow."
        default: return "it is not valid YAML."
        }
    }

    private static func fileReason(_ path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file."
        }
        if isFolder.boolValue { return "it is a folder." }
        return FileManager.default.isReadableFile(atPath: path)
            ? "it is not text in UTF-8." : ConfigurationFileError.forbidden
    }
}

/// The `--config` file cannot be used at all.
package struct ConfigurationFileError: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String {
        "The configuration file \(path) cannot be read: \(reason)\n      \(remedy)"
    }

    var remedy: String {
        reason == Self.forbidden
            ? "Run the command as root or as the service's user."
            : "Give a YAML or JSON file of the keys that `dayly config` lists."
    }

    static let forbidden = "this user may not read it."
}
