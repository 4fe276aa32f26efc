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

    package init(_ text: String) {
        blocks = text.components(separatedBy: "\n\n").dropLast().map { block in
            block.split(separator: "\n").reduce(into: [:]) { fields, line in
                guard let colon = line.firstIndex(of: ":") else { return }
                fields[String(line[..<colon])] = line[line.index(after: colon)...]
                    .trimmingCharacters(in: .whitespaces)
            }
        }
    }

    package var events: [Event] {
        blocks.compactMap { block in
            guard let name = block["event"], let data = block["data"] else { return nil }
            return Event(name: name, data: data, id: block["id"] ?? "")
        }
    }

    /// The last cursor, with an event or without.
    package var cursor: String? { blocks.compactMap { $0["id"] }.last }
}
