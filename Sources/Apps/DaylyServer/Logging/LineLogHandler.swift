import CommandKit
import Foundation
import HTTPKit
import Logging

/// Writes each record as one line to standard error: JSON for machines, or text for people.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level

    private let label: String
    private let format: LogSettings.Format
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a whole line without its line feed.
    package init(
        label: String, level: Logger.Level, format: LogSettings.Format,
        write: @escaping @Sendable (String) -> Void = StandardError.writeLine
    ) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let record = LogRecord(
            time: Date(), level: event.level, label: label, message: event.message.description,
            metadata: sorted(with: event.metadata))
        switch format {
        case .json: write(record.json)
        case .text: write(record.text)
        }
    }
}

extension LineLogHandler {
    /// The metadata of the provider, of the logger and of the event. The later one counts if two have the same key.
    private func sorted(
        with given: Logger.Metadata?
    ) -> [(key: String, value: Logger.Metadata.Value)] {
        var all: [(key: String, value: Logger.Metadata.Value)] = []
        all.reserveCapacity(8)
        for entries in [given, metadata, metadataProvider?.get()] {
            for entry in entries ?? [:] where !all.contains(where: { $0.key == entry.key }) {
                all.append(entry)
            }
        }
        return all.sorted { $0.key < $1.key }
    }
}

/// One record and its two formats. A line is built by appending to one string, because every request logs one.
struct LogRecord {
    let time: Date
    let level: Logger.Level
    let label: String
    let message: String
    /// Sorted by their keys, which differ.
    let metadata: [(key: String, value: Logger.Metadata.Value)]

    /// An object of strings, and numbers among the metadata: `time`, `level`, `logger`, `message`, then the metadata.
    var json: String {
        var line = Self.emptyLine()
        line += "{\"time\":\""
        line += timestamp
        line += "\",\"level\":\""
        line += level.rawValue
        line += "\",\"logger\":"
        line += Self.quoted(label)
        line += ",\"message\":"
        line += Self.quoted(message)
        for (key, value) in metadata {
            line += ","
            line += Self.quoted(Self.reserved.contains(key) ? "metadata_" + key : key)
            line += ":"
            line += Self.json(value)
        }
        line += "}"
        return line
    }

    private static let reserved: Set = ["time", "level", "logger", "message"]

    /// `12:00:00.000 INFO     message  key=value`
    var text: String {
        var line = Self.emptyLine()
        line += Substring(timestamp.utf8.dropFirst(11).dropLast())
        line += " "
        line += Self.paddedNames[level] ?? ""
        line += " "
        line += Self.printable(message)
        for (key, value) in metadata {
            line += "  "
            line += Self.oneLine(key)
            line += "="
            line += Self.oneLine(value.description)
        }
        return line
    }

    private static let paddedNames = Dictionary(
        uniqueKeysWithValues: Logger.Level.allCases.map { level in
            (level, level.rawValue.uppercased().padding(toLength: 8, withPad: " ", startingAt: 0))
        })

    private static func emptyLine() -> String {
        var line = ""
        line.reserveCapacity(256)
        return line
    }

    /// In milliseconds, cut off.
    private var timestamp: String {
        let fraction = Int((time.timeIntervalSince1970 * 1_000).rounded(.down)) % 1_000
        var text = WireJSON.timestamp(time)
        text.removeLast()
        text += "."
        text += String(1_000 + (fraction + 1_000) % 1_000).dropFirst()
        text += "Z"
        return text
    }

    private static func json(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .stringConvertible(let value): literal(value) ?? quoted(value.description)
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(quoted($0)):\(json($1))" }.joined(
                    separator: ",")
                + "}"
        }
    }

    /// JSON literals for numbers and truth values; nil for everything else.
    private static func literal(_ value: any CustomStringConvertible) -> String? {
        switch value {
        case let value as any BinaryInteger: value.description
        case let value as Double where value.isFinite: value.description
        case let value as Bool: value.description
        default: nil
        }
    }

    /// A JSON string (RFC 8259): no logged text can end the line or the string.
    private static func quoted(_ text: String) -> String {
        let needsEscape = text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        if isPlain(text), !needsEscape {
            return "\"" + text + "\""
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where isControl(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A message may contain line feeds (the console gateway prints an SMS), but no control character for the terminal.
    private static func printable(_ text: String) -> String {
        if isPlain(text) { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0 != "\n" && isControl($0) ? "?" : $0 }))
    }

    private static func oneLine(_ text: String) -> String {
        isPlain(text) ? text : printable(text).replacing("\n", with: "⏎")
    }

    /// Whether the text is printable ASCII, as nearly all texts are, and needs no care.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// C0, DEL, C1 and the two line separators of Unicode.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x2028...0x2029).contains(scalar.value)
    }
}
