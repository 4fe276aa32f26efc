import Configuration
import Foundation
import Settings
import SystemPackage
import Yams

/// The `--config` file: its values and its keys.
struct ConfigurationFile: Sendable {
    /// Nil where the file holds nothing but comments.
    private let provider: FileProvider<YAMLSnapshot>?
    /// Every key that has a value, with dots between its parts.
    let keys: [String]

    /// - Parameter path: A YAML or JSON file. JSON is read as the YAML that it is.
    /// - Throws: `ConfigurationFileError`, whose text never quotes the file, because the file holds secrets.
    static func read(_ path: String) async throws(ConfigurationFileError) -> ConfigurationFile {
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            guard let node = try Yams.compose(yaml: text), node != Node("", Tag(.null)) else {
                return ConfigurationFile(provider: nil, keys: [])
            }
            guard node.mapping != nil else {
                throw ConfigurationFileError(path: path, reason: "it is not a mapping of keys to values.")
            }
            return ConfigurationFile(
                provider: try await FileProvider<YAMLSnapshot>(filePath: FilePath(path)),
                keys: keys(in: node, under: []))
        } catch let error as ConfigurationFileError {
            throw error
        } catch {
            throw ConfigurationFileError(path: path, reason: reason(error, path))
        }
    }

    /// The text of a value. Lists are written as in the environment; an empty text and null count as not given.
    func text(_ key: String) -> String? {
        guard let provider else { return nil }
        let absolute = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
        if let value = try? provider.value(forKey: absolute, type: .string).value {
            return Self.text(value.content)
        }
        return Self.text(try? provider.value(forKey: absolute, type: .stringArray).value?.content)
    }

    private static func text(_ content: ConfigContent?) -> String? {
        switch content {
        case .string(let value): text(value)
        case .stringArray(let values): text(values.joined(separator: ","))
        default: nil
        }
    }

    /// Trimmed; nil where the text counts as not given.
    static func text(_ value: String?) -> String? {
        let text = value?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return ["", "~", "null"].contains(text) ? nil : text
    }

    private static func keys(in node: Node, under prefix: [String]) -> [String] {
        guard let mapping = node.mapping else {
            return prefix.isEmpty ? [] : [prefix.joined(separator: ".")]
        }
        return mapping.flatMap { key, value in keys(in: value, under: prefix + [key.string ?? "?"]) }
    }

    /// Our own words, because Yams and swift-configuration quote the lines around the fault.
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
