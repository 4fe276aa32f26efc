import FeatureKit
import Foundation
import HTTPKit
import Postgres

extension UserStore {
    /// The profile of a user.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        let profile = try tx.first(
            """
            SELECT id, phone_number, first_name, time_zone, time_zone_changed_at, discoverable, quiet_from,
                quiet_to, last_active_on, created_at
            FROM users
            WHERE id = \(user)
            """)
        guard let profile else { throw AuthError.userGone }
        return .object(try profile.exported())
    }
}
