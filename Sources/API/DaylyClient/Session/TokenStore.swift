import DaylyAPI
import Foundation

/// The part of a session that a device keeps. The access token is not kept: it lives for minutes, in memory.
public struct StoredSession: Sendable, Equatable {
    public var refreshToken: String
    /// The user as the service last described them, so that an app can start offline.
    public var user: User

    public init(refreshToken: String, user: User) {
        self.refreshToken = refreshToken
        self.user = user
    }
}

/// The record is a form of its own, so that a member that the service adds to a user makes no record unreadable. A member that
/// is added to the record is optional.
extension StoredSession: Codable {
    /// Raised when a reader of before would misunderstand the record. The first records had no number.
    private static let version = 1

    private struct Record: Codable {
        var version: Int?
        var refreshToken: String
        var user: Profile
    }

    private struct Profile: Codable {
        var id: ResourceID
        var phoneNumber: String
        var firstName: String?
        var timeZone: String
        var discoverable: Bool
        var quietFrom: String?
        var quietTo: String?
        var createdAt: Date

        enum CodingKeys: String, CodingKey {
            case id
            case phoneNumber = "phone_number"
            case firstName = "first_name"
            case timeZone = "time_zone"
            case discoverable
            case quietFrom = "quiet_from"
            case quietTo = "quiet_to"
            case createdAt = "created_at"
        }
    }

    public init(from decoder: any Decoder) throws {
        let record = try Record(from: decoder)
        guard record.version ?? 1 <= Self.version else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a record of a later version"))
        }
        let user = record.user
        refreshToken = record.refreshToken
        self.user = User(
            id: user.id, phoneNumber: user.phoneNumber, firstName: user.firstName, timeZone: user.timeZone,
            discoverable: user.discoverable, quietFrom: user.quietFrom, quietTo: user.quietTo,
            createdAt: user.createdAt)
    }

    public func encode(to encoder: any Encoder) throws {
        let profile = Profile(
            id: user.id, phoneNumber: user.phoneNumber, firstName: user.firstName, timeZone: user.timeZone,
            discoverable: user.discoverable, quietFrom: user.quietFrom, quietTo: user.quietTo,
            createdAt: user.createdAt)
        try Record(version: Self.version, refreshToken: refreshToken, user: profile).encode(to: encoder)
    }
}

/// Where a device keeps its session. An app and its extensions share one store, so another process may change it at any
/// time.
///
/// A function that throws says nothing about the session: neither a Keychain that is locked nor a record that does not decode
/// signs anybody out.
public protocol TokenStore: Sendable {
    /// - Returns: nil when nobody is signed in.
    func read() throws -> StoredSession?
    /// The session is on the disk when this returns.
    func write(_ session: StoredSession) throws
    func remove() throws
}
