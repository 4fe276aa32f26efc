import DaylyAPI
import Foundation

/// The part of a session that a device keeps. The access token is not kept: it lives for minutes, in memory.
public struct StoredSession: Codable, Sendable, Equatable {
    public var refreshToken: String
    /// The user as the service last described them, so that an app can start offline.
    public var user: User

    public init(refreshToken: String, user: User) {
        self.refreshToken = refreshToken
        self.user = user
    }
}

/// Where a device keeps its session. An app and its extensions share one store, so another process may change it at any
/// time.
///
/// A function that throws says nothing about the session: a Keychain that is locked signs nobody out.
public protocol TokenStore: Sendable {
    /// - Returns: nil when nobody is signed in.
    func read() throws -> StoredSession?
    /// The session is on the disk when this returns.
    func write(_ session: StoredSession) throws
    func remove() throws
}
