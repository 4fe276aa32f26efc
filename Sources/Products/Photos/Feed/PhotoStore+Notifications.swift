import Auth
import FeatureKit
import Foundation
import Groups
import Notifications
import Postgres

extension NotificationOutbox {
    /// Notifies members of the photo after the transaction has committed.
    func notify(
        _ tx: PostgresTransaction, of photo: PhotoID, to group: GroupID, by sender: UserID, lifetime: Duration
    ) throws {
        try notify(tx, .photo, photo.rawValue, in: group, by: sender, lifetime: lifetime)
    }
}

extension NotificationKind {
    package static let photo = NotificationKind(rawValue: "photo")
}

extension PhotoStore {
    /// Says at the time of a delivery whether the photos that a notification is about still exist.
    var notificationSource: NotificationSource {
        NotificationSource(
            happenedAt: { try await acceptedAt(PhotoID(rawValue: $0)) },
            latestUse: { try await firstExpiry($0) })
    }

    /// Nil if the photo is gone.
    private func acceptedAt(_ id: PhotoID) async throws -> Date? {
        try await postgres.first(
            "SELECT created_at FROM photos WHERE id = \(id) AND lease_until IS NULL AND expires_at > now()"
        )?.get("created_at")
    }

    /// The expiry of the first photo of that day which another member has sent and which still exists.
    private func firstExpiry(_ question: NotificationQuestion) async throws -> Date? {
        try await postgres.first(
            """
            SELECT p.expires_at
            FROM photos p
            JOIN users reader ON reader.id = \(question.reader)
            WHERE p.group_id = \(question.group) AND p.sender_id <> \(question.reader)
                AND p.lease_until IS NULL AND p.expires_at > now()
                AND (p.id = \(question.subject)
                    OR local_day(p.created_at, reader.time_zone) = \(question.day)::date)
            ORDER BY p.created_at, p.id
            LIMIT 1
            """
        )?.get("expires_at")
    }
}
