import Foundation
import HTTPKit
import Postgres

/// The caller of a call that only reads. Their access token is authentic, but whether their session is still live is not
/// known yet: PostgreSQL says so in the same message in which it answers the call's own statement. Only that statement
/// gets the user's id, so a handler cannot answer before the session was checked.
package struct Caller: Sendable {
    /// Checks the session, and reads, if there is something to read.
    package typealias Read = @Sendable (Reading?) async throws -> [PostgresRow]

    private let user: UserID
    private let read: Read

    /// - Parameter read: throws 401 unless the session is live.
    package init(_ user: UserID, read: @escaping Read) {
        self.user = user
        self.read = read
    }

    /// Runs a statement that only reads, made for the caller's id.
    ///
    /// - Throws: 401 when the session has ended.
    package func query(
        _ statement: (UserID) throws -> SQL
    ) async throws -> (user: UserID, rows: [PostgresRow]) {
        (user, try await read(.statement(try statement(user))))
    }

    /// Runs a query that is shared with other callers, with a key made of the caller's id.
    ///
    /// - Throws: 401 when the session has ended.
    package func query(
        _ query: SharedQuery, key: (UserID) -> [UUID]
    ) async throws -> (user: UserID, rows: [PostgresRow]) {
        (user, try await read(.shared(query, key: key(user))))
    }

    /// Checks the session alone, for a call that cannot make its statement yet.
    ///
    /// - Throws: 401 when the session has ended.
    package func require() async throws -> UserID {
        _ = try await read(nil)
        return user
    }
}

extension Caller: UncheckedCaller {}

extension AppContext {
    /// The caller of a route that `.reads`.
    ///
    /// - Throws: 401 for a route without that trait.
    package func requireCaller() throws(Problem) -> Caller {
        guard let caller = caller as? Caller else { throw .unauthorized }
        return caller
    }
}
