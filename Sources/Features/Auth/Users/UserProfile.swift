import FeatureKit
import Foundation
import Postgres

/// A user's profile.
package struct UserProfile: Sendable, Equatable {
    package let id: UserID
    package let phoneNumber: PhoneNumber
    package let firstName: String?
    /// A name from `pg_timezone_names`.
    package let timeZone: String
    package let discoverable: Bool
    let quietHours: QuietHours?
    package let createdAt: Date

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
