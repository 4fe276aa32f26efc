import Foundation
import Postgres

/// The id of a group.
package struct GroupID: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }
}

/// The id of an invitation.
package struct InviteID: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }
}
