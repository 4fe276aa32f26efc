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
        var all = metadataProvider?.get() ?? [:]
        all.merge(metadata) { _, own in own }
        if let given = event.metadata { all.merge(given) { _, given in given } }
        let record = LogRecord(
            time: Date(), level: event.level, label: label, message: event.message.description, metadata: all)
        switch format {
        case .json: write(record.json)
        case .text: write(record.text)
        }
    }
}

/// One record and its two formats.
struct LogRecord {
    let time: Date
    let level: Logger.Level
    let label: String
    let message: String
    let metadata: Logger.Metadata

    /// An object of strings, and numbers among the metadata: `time`, `level`, `logger`, `message`, then the metadata.
    var json: String {
        let head = [("time", timestamp), ("level", level.rawValue), ("logger", label), ("message", message)]
        let reserved = Set(head.map(\.0))
        let members =
            head.map { (Self.quoted($0), Self.quoted($1)) }
            + metadata.sorted { $0.key < $1.key }.map { key, value in
                (Self.quoted(reserved.contains(key) ? "metadata_" + key : key), Self.json(value))
            }
        return "{" + members.map { "\($0):\($1)" }.joined(separator: ",") + "}"
    }

    /// `12:00:00.000 INFO  dayly: message  key=value`
    var text: String {
        let pairs = metadata.sorted { $0.key < $1.key }
            .map { "  \(Self.oneLine($0))=\(Self.oneLine("\($1)"))" }
        let word = level.rawValue.uppercased()
        let name = word + String(repeating: " ", count: max(0, 8 - word.utf8.count))
        return timestamp.dropFirst(11).dropLast() + " \(name) \(Self.printable(message))" + pairs.joined()
    }

    /// In milliseconds, cut off.
    private var timestamp: String {
        let fraction = Int((time.timeIntervalSince1970 * 1_000).rounded(.down)) % 1_000
        let digits = String((fraction + 1_000) % 1_000)
        let zeros = String(repeating: "0", count: 3 - digits.utf8.count)
        return "\(WireJSON.timestamp(time).dropLast()).\(zeros)\(digits)Z"
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
            return "\"\(text)\""
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

/// Standard error, a whole line at a time.
package enum StandardError {
    /// One write per line, so that lines of several threads and processes do not mix. A line that nobody can read any
    /// more, because the other end of a pipe is closed, is lost.
    @Sendable package static func writeLine(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = write(STDERR_FILENO, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}
