import Foundation

/// The id of a user, group, photo, invitation or session: a UUID, in lower case on the wire.
public struct ResourceID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let uuid: UUID

    public init(_ uuid: UUID) {
        self.uuid = uuid
    }

    public init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Written from the bytes, because Foundation's conversion uses printf. This target uses no other one, so the same lines
    /// stand in `UUIDText` of the target Postgres.
    public var description: String {
        let digits: StaticString = "0123456789abcdef"
        return withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { buffer in
                var end = 0
                for (index, byte) in bytes.enumerated() {
                    if [4, 6, 8, 10].contains(index) {
                        buffer[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    buffer[end] = digits.utf8Start[Int(byte >> 4)]
                    buffer[end + 1] = digits.utf8Start[Int(byte & 15)]
                    end += 2
                }
                return end
            }
        }
    }
}
