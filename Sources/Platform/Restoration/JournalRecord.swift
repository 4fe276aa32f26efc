import Crypto
import Foundation
import NIOCore

/// One thing that was erased, or promised. Nothing leads from it to whom it was about, but for who has the row and the
/// key.
package struct JournalRecord: Sendable, Hashable {
    package let kind: String
    /// The row's digest under the journal's key; nil where the kind has none.
    let subject: [UInt8]?
    package let payload: [UInt8]?
}

/// The key under which digests stand in the journal, derived from the service's secret.
struct JournalKey: Sendable {
    private let key: SymmetricKey

    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("erasure journal v1".utf8),
            outputByteCount: 32)
    }

    /// Tells keys apart without telling anything of them.
    var name: String { Data(seal(Array("name".utf8)).prefix(6)).base64EncodedString() }

    func seal(_ digest: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: digest, using: key).prefix(16))
    }
}

/// A segment's text: a line that names format and key, then one per record.
enum JournalText {
    /// What cannot be read is not passed over: something erased could come back.
    enum Failure: Error, Equatable {
        case damaged
        /// Written under another key.
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
        guard lines[0] == "\(format) \(key.name)" else { throw .otherKey }
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

    private static func encode(_ bytes: [UInt8]?) -> String {
        bytes.map { Data($0).base64EncodedString() } ?? "-"
    }

    private static func decode(_ text: Substring) -> [UInt8]?? {
        if text == "-" { return .some(nil) }
        guard let data = Data(base64Encoded: String(text)) else { return nil }
        return .some([UInt8](data))
    }
}
