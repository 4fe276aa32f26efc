import DaylyAPI
import Foundation
import HTTPKit
import Postgres

/// A UUID that names a thing of one kind. `Tag` is a type without values, so that ids of two kinds cannot be mixed up.
package struct ID<Tag>: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UUID) {
        self.rawValue = rawValue
    }

    /// The default for raw values looks up a generic type at run time for each id, and a feed reads many ids.
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> ID {
        ID(try UUID.decodePostgres(field))
    }

    /// The id as answers spell it.
    package var resourceID: ResourceID { ResourceID(rawValue) }
}

package enum UserTag {}
/// A person who has signed in at least once.
package typealias UserID = ID<UserTag>

package enum SessionTag {}
/// A signed-in client.
package typealias SessionID = ID<SessionTag>

extension Identity {
    package var user: UserID { UserID(userID) }
    package var session: SessionID { SessionID(sessionID) }
}

extension AppContext {
    /// The calling user, or 401.
    package func requireUser() throws(Problem) -> UserID {
        try requireIdentity().user
    }
}
