import FeatureKit
import FocusRules
import Foundation
import Postgres

extension FocusSessionService {
    /// Newest first, without canceled sessions.
    func list(
        of user: UserID, before place: FocusSessionPlace?
    ) async throws -> ListPage<FocusSessionState> {
        try await sessions.postgres.transaction { tx in
            _ = try members.require(tx, user)
            return ListPage(try sessions.list(tx, of: user, before: place))
        }
    }

    func get(_ id: UUID, of user: UserID) async throws -> FocusSessionState {
        try await sessions.postgres.transaction { tx in
            _ = try members.require(tx, user)
            return try sessions.require(tx, FocusSessionID(id), of: user)
        }
    }

    func statistics(
        of user: UserID
    ) async throws -> (days: [FocusSessionDay], record: (day: DayNumber, seconds: Int)?) {
        try await sessions.postgres.transaction { tx in
            let member = try members.require(tx, user)
            return (try sessions.statistics(tx, of: member), try sessions.record(tx, of: user))
        }
    }
}
