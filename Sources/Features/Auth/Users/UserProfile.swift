import FeatureKit
import Foundation
import Postgres

/// What is known about a user.
package struct UserProfile: Sendable, Equatable {
    package let id: UserID
    package let phoneNumber: PhoneNumber
    package let firstName: String?
    /// An exact name of `pg_timezone_names`.
    package let timeZone: String
    package let discoverable: Bool
    package let quietHours: QuietHours?
    package let createdAt: Date

    static let columns: SQL =
        """
        users.id, users.phone_number, users.first_name, users.time_zone, users.discoverable, users.quiet_from,
        users.quiet_to, users.created_at
        """

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        phoneNumber = try row.get("phone_number")
        firstName = try row.get("first_name")
        timeZone = try row.get("time_zone")
        discoverable = try row.get("discoverable")
        quietHours = try QuietHours(row)
        createdAt = try row.get("created_at")
    }
}
