import DaylyAPI
import Foundation
import HTTPKit
import Postgres

/// A person who has signed in at least once.
package struct UserID: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UUID) {
        self.rawValue = rawValue
    }

    /// As it stands in answers.
    package var resourceID: ResourceID { ResourceID(rawValue) }
}

/// A signed-in device.
package struct SessionID: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UUID) {
        self.rawValue = rawValue
    }

    package var resourceID: ResourceID { ResourceID(rawValue) }
}

/// A code that was asked for.
package struct VerificationID: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: UUID

    package init(rawValue: UUID) {
        self.rawValue = rawValue
    }

    package init(_ rawValue: UUID) {
        self.rawValue = rawValue
    }

    package var resourceID: ResourceID { ResourceID(rawValue) }
}

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
