import Auth
import FeatureKit
import Foundation
import KeyDerivation

/// Writes and reads the cursors that clients keep: positions in the logs of groups, for one user and one purpose. Each ends
/// with a code under the service's secret, so that a client can neither invent a cursor nor use another user's.
package struct GroupCursors: Sendable {
    /// The largest number of groups in one cursor. No user may be in more groups.
    private static let maxGroups = 1_000
    private static let version: UInt8 = 1
    private static let codeLength = 12
    private let keys: KeyRing

    /// - Parameter secret: the service's secrets. The keys are derived from them for this use alone (HKDF, RFC 5869).
    package init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly cursors v1")
    }

    /// The cursor of one group's photos.
    package func photos(_ position: LogPosition, of group: GroupID, for user: UserID) -> String {
        seal(position.bytes, purpose: Array("photos".utf8) + group.bytes, user: user)
    }

    /// Nil unless the service gave this user the text as a cursor of this group's photos.
    package func photos(_ text: String, of group: GroupID, for user: UserID) -> LogPosition? {
        let purpose = Array("photos".utf8) + group.bytes
        guard let bytes = open(text, purpose: purpose, user: user), bytes.count == LogPosition.byteCount
        else {
            return nil
        }
        return LogPosition(bytes: bytes)
    }

    /// The cursor of the events of all groups that the user is in. The same positions make the same text.
    package func events(_ positions: [(group: GroupID, position: LogPosition)], for user: UserID) -> String {
        let sorted = positions.sorted { $0.group.bytes.lexicographicallyPrecedes($1.group.bytes) }
        return seal(
            sorted.flatMap { $0.group.bytes + $0.position.bytes }, purpose: Array("events".utf8), user: user)
    }

    /// Nil unless the service gave this user the text as a cursor of events.
    package func events(_ text: String, for user: UserID) -> [GroupID: LogPosition]? {
        let size = GroupID.byteCount + LogPosition.byteCount
        guard let bytes = open(text, purpose: Array("events".utf8), user: user), bytes.count % size == 0
        else {
            return nil
        }
        var positions: [GroupID: LogPosition] = [:]
        for start in stride(from: 0, to: bytes.count, by: size) {
            let group = GroupID(bytes: bytes[start..<start + GroupID.byteCount])
            positions[group] = LogPosition(bytes: bytes[(start + GroupID.byteCount)..<(start + size)])
        }
        return positions
    }

    private func seal(_ body: [UInt8], purpose: [UInt8], user: UserID) -> String {
        let message = [Self.version] + body
        return Base64URL.encode(
            message
                + keys.code(of: Self.sealed(message, purpose: purpose, user: user)).prefix(Self.codeLength))
    }

    private func open(_ text: String, purpose: [UInt8], user: UserID) -> [UInt8]? {
        guard text.utf8.count <= (Self.maxGroups + 1) * 40, let bytes = Base64URL.decode(text),
            bytes.count > Self.codeLength, bytes.first == Self.version
        else { return nil }
        let message = Array(bytes.dropLast(Self.codeLength))
        let isGenuine = keys.isValid(
            beginning: Array(bytes.suffix(Self.codeLength)),
            of: Self.sealed(message, purpose: purpose, user: user))
        return isGenuine ? Array(message.dropFirst()) : nil
    }

    /// The length of the purpose comes first, so that different triples never make the same bytes.
    private static func sealed(_ message: [UInt8], purpose: [UInt8], user: UserID) -> [UInt8] {
        [UInt8(purpose.count)] + purpose + user.rawValue.bytes + message
    }
}

extension LogPosition {
    /// Six bytes for the number and four for the stamp, both big-endian.
    fileprivate static let byteCount = 10

    fileprivate var bytes: [UInt8] {
        (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            + (0..<4).reversed().map { UInt8(truncatingIfNeeded: stamp >> ($0 * 8)) }
    }

    fileprivate init(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        self.init(
            number: bytes.prefix(6).reduce(0) { $0 << 8 | Int($1) },
            stamp: bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
}

extension GroupID {
    fileprivate static let byteCount = 16

    fileprivate var bytes: [UInt8] { rawValue.bytes }

    /// - Parameter bytes: sixteen.
    fileprivate init(bytes: ArraySlice<UInt8>) {
        let uuid = Array(bytes).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.init(rawValue: UUID(uuid: uuid))
    }
}
