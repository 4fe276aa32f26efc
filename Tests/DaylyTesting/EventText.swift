import Foundation
import HTTPKit

/// The events in the text of a stream (WHATWG HTML, section 9.2), as far as they have come.
package struct EventText: Sendable {
    package struct Event: Equatable, Sendable, CustomStringConvertible {
        package let name: String
        package let data: String
        /// Empty for a hint.
        package let id: String

        package var description: String { "\(name) \(data)" }

        package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try WireJSON.makeDecoder().decode(type, from: Data(data.utf8))
        }

        /// A member of its data.
        package func member(_ name: String) -> String? {
            let json = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
            return json?[name] as? String
        }
    }

    private let blocks: [[String: String]]

    /// Reads bytes, not characters: the proof of a cluster follows hundreds of streams in one process.
    package init(_ text: String) {
        var (blocks, block): ([[String: String]], [String: String]) = ([], [:])
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty {
                if !block.isEmpty { blocks.append(block) }
                block = [:]
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") }
                block[String(decoding: line[..<colon], as: UTF8.self)] = String(
                    decoding: value, as: UTF8.self)
            }
        }
        self.blocks = blocks
    }

    package var events: [Event] {
        blocks.compactMap { block in
            guard let name = block["event"], let data = block["data"] else { return nil }
            return Event(name: name, data: data, id: block["id"] ?? "")
        }
    }

    /// The last cursor, with an event or without.
    package var cursor: String? { blocks.compactMap { $0["id"] }.last }

    /// The service's wait before the next connection.
    package var retry: Duration? {
        blocks.compactMap { $0["retry"].flatMap { Int($0) } }.last.map { .milliseconds($0) }
    }
}
