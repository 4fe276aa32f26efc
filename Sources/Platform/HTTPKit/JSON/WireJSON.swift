import Foundation
import NIOCore

/// The format of JSON on the wire: RFC 3339 timestamps in UTC with whole seconds, names from the coding keys of each type,
/// and `/` without an escape.
package enum WireJSON {
    /// A message that writes its own JSON does so; `JSONEncoder` writes the others.
    static func encode(_ body: some Encodable) throws -> ByteBuffer {
        guard let body = body as? any JSONWritable else {
            return ByteBuffer(bytes: try makeEncoder().encode(body))
        }
        var json = JSONWriter(capacity: 16_384)
        body.write(to: &json)
        return json.buffer
    }

    package static func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(timestamp(date))
        }
        return encoder
    }

    package static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = RFC3339.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a timestamp")
            }
            return date
        }
        return decoder
    }

    /// A timestamp such as `2026-01-31T23:59:59Z`. A fraction of a second is cut off, so that no time seems later than it
    /// is.
    package static func timestamp(_ date: Date) -> String {
        RFC3339.text(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
