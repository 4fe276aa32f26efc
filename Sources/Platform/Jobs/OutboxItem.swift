import Foundation
import Postgres

/// A row to be written to the outbox.
package struct OutboxDraft<Payload: Codable & Sendable>: Sendable {
    /// As long as a key is kept, only the first draft with that key is written. Drafts without a key are all written.
    package let key: String?
    /// The user whom the row is for or about. It is deleted with their account.
    package let owner: UUID?
    package let payload: Payload
    /// Before this time the row is not handled. Nil: it is due at once.
    package let dueAt: Date?
    /// After this time the row is not handled any more.
    package let expiresAt: Date
    /// The time until which the key stays used after the row is done.
    package let keepUntil: Date
    /// The lanes that the row needs, of which one must have a place. Empty if it needs none.
    package let lanes: [String]

    package init(
        key: String?, owner: UUID?, payload: Payload, dueAt: Date? = nil, expiresAt: Date, keepUntil: Date,
        lanes: [String] = []
    ) {
        self.key = key
        self.owner = owner
        self.payload = payload
        self.dueAt = dueAt
        self.expiresAt = expiresAt
        self.keepUntil = keepUntil
        self.lanes = lanes
    }
}

/// A row of the outbox, leased to a worker.
package struct OutboxItem: Sendable {
    /// The same for all attempts.
    package let id: UUID
    package let topic: String
    package let key: String?
    package let owner: UUID?
    /// The number of attempts, including the current one.
    package let attempts: Int
    package let createdAt: Date
    package let expiresAt: Date
    /// When the lease began, by PostgreSQL's clock.
    package let claimedAt: Date
    package let lanes: [String]
    private let payloadText: String
    let lease: UUID

    package func payload<Payload: Decodable>(as _: Payload.Type = Payload.self) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(payloadText.utf8))
    }

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        topic = try row.get("topic")
        key = try row.get("key")
        owner = try row.get("user_id")
        attempts = try row.get("attempts")
        createdAt = try row.get("created_at")
        expiresAt = try row.get("expires_at")
        claimedAt = try row.get("claimed_at")
        lanes = try row.get("lanes")
        payloadText = try row.get("payload")
        lease = try row.get("lease")
    }
}

/// The result of an attempt, as its handler reports it.
package enum OutboxVerdict: Sendable, Equatable {
    /// The row is done, and its key stays used.
    case done
    /// Nothing was achieved. The row is deleted, and its key is free again.
    case dropped
    /// The row waits until that time. This does not count as a failure.
    case later(Date)
    /// The attempt failed. The next one follows after a pause that grows, and not before `after` has passed.
    case failed(after: Duration? = nil)
}

/// The end of an attempt.
struct OutboxResult: Sendable {
    /// The change to the row.
    enum Kind {
        case keep, delete, putBack, retry
    }

    let item: OutboxItem
    let verdict: OutboxVerdict
    /// The pause until the next attempt after a failure.
    let pause: Duration

    var kind: Kind {
        switch verdict {
        case .done: item.key == nil ? .delete : .keep
        case .dropped: .delete
        case .later: .putBack
        case .failed: .retry
        }
    }

    var dueAt: Date {
        if case .later(let date) = verdict { date } else { item.claimedAt }
    }
}
