import Foundation
import KeyDerivation
import NIOCore

/// The record of one erasure, or of a block or STOP. It identifies a row only for a reader who has the row and the key.
package struct JournalRecord: Sendable, Hashable {
    /// The raw value of an `ErasureKind`, or a kind of a later version, which is kept as it is.
    package let kind: String
    /// The row's digest under the journal's key; nil for kinds without a subject.
    let subject: [UInt8]?
    package let payload: [UInt8]?
}

/// The keys of the digests in the journal, derived from the service's secrets (RFC 5869).
struct JournalKey: Sendable {
    private let keys: KeyRing

    init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "erasure journal v1")
    }

    /// Identifies the key without revealing it.
    var name: String { Self.name(keys.code(of: Self.named)) }

    /// The names of the keys of all secrets in force.
    var names: [String] { keys.codes(of: Self.named).map(Self.name) }

    /// The digest for a new record.
    func seal(_ digest: [UInt8]) -> [UInt8] { Array(keys.code(of: digest).prefix(16)) }

    /// The digests under all secrets in force, for finding records.
    func seals(_ digest: [UInt8]) -> Set<[UInt8]> { Set(keys.codes(of: digest).map { Array($0.prefix(16)) }) }

    private static let named = Array("name".utf8)

    private static func name(_ code: [UInt8]) -> String { Data(code.prefix(6)).base64EncodedString() }
}

/// The text of a segment: a line with the format and the key's name, one line for each record, and a last line.
enum JournalText {
    /// An unreadable record must not be skipped: erased data could come back.
    enum Failure: Error, Equatable {
        case damaged
        /// The text was written under another key.
        case otherKey
    }

    private static let format = "journal 1"

    static func encode(_ records: [JournalRecord], key: JournalKey) -> ByteBuffer {
        var text = "\(format) \(key.name)\n"
        for record in records {
            text += "\(record.kind) \(encode(record.subject)) \(encode(record.payload))\n"
        }
        return ByteBuffer(string: text + "end\n")
    }

    static func decode(_ bytes: ByteBuffer, key: JournalKey) throws(Failure) -> [JournalRecord] {
        var lines = String(buffer: bytes).split(separator: "\n")
        guard lines.count >= 2, lines[0].hasPrefix(format + " "), lines.removeLast() == "end" else {
            throw .damaged
        }
        guard key.names.contains(where: { lines[0] == "\(format) \($0)" }) else { throw .otherKey }
        var records: [JournalRecord] = []
        records.reserveCapacity(lines.count)
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, let subject = decode(parts[1]), let payload = decode(parts[2]) else {
                throw .damaged
            }
            records.append(JournalRecord(kind: String(parts[0]), subject: subject, payload: payload))
        }
        return records
    }

    /// Whether a segment was written under the current key.
    static func isCurrent(_ bytes: ByteBuffer, key: JournalKey) -> Bool {
        String(buffer: bytes).hasPrefix("\(format) \(key.name)\n")
    }

    private static func encode(_ bytes: [UInt8]?) -> String {
        bytes.map { Data($0).base64EncodedString() } ?? "-"
    }

    private static func decode(_ text: Substring) -> [UInt8]?? {
        if text == "-" { return .some(nil) }
        guard let data = Data(base64Encoded: String(text)) else { return nil }
        return .some([UInt8](data))
    }
}
