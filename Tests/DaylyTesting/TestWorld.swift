import Auth
import FeatureKit
import Groups
import HTTPKit
import Postgres

/// A user who is signed in.
package struct Person: Sendable {
    package let id: UserID
    package let session: SessionID
    package let number: PhoneNumber
    /// An access token of the session.
    package let token: String

    package init(id: UserID, session: SessionID, number: PhoneNumber, token: String) {
        self.id = id
        self.session = session
        self.number = number
        self.token = token
    }

    /// The number as clients write it.
    package var phone: String { number.rawValue }
    package var identity: Identity { Identity(userID: id.rawValue, sessionID: session.rawValue) }
}

/// A database of its own in which tests insert people and groups as rows, without the calls that would make them. The tests
/// of each feature add the feature.
package protocol TestWorld: Sendable {
    var postgres: PostgresClient { get }
}

extension Caller {
    /// A user whose session is known to be live.
    package init(live user: UserID, _ postgres: PostgresClient) {
        self.init(user) { reading in
            guard let reading else { return [] }
            return try await postgres.read(reading)
        }
    }
}

extension TestWorld {
    /// A user whose session is known to be live.
    package func caller(_ user: UserID) -> Caller { Caller(live: user, postgres) }

    package func person(
        number: PhoneNumber = Fixtures.phoneNumber(), name: String? = "Ada", timeZone: String = "UTC"
    ) async throws -> Person {
        let id = try await Fixtures.user(in: postgres, phone: number, firstName: name, timeZone: timeZone)
        let session = try await Fixtures.session(in: postgres, of: id)
        return Person(
            id: id, session: session, number: number,
            token: try await Fixtures.accessToken(in: postgres, for: id, session: session))
    }

    package func people(_ names: String...) async throws -> [Person] {
        var people: [Person] = []
        for name in names { people.append(try await person(name: name)) }
        return people
    }

    /// A group with these members, the first of them first.
    @discardableResult
    package func group(
        _ name: String = "Family", id: GroupID = GroupID(.version7()), of members: [UserID]
    ) async throws -> GroupID {
        try await postgres.execute("INSERT INTO groups (id, name) VALUES (\(id), \(name))")
        for (index, member) in members.enumerated() {
            try await postgres.execute(
                """
                INSERT INTO group_members (group_id, user_id, joined_at)
                VALUES (\(id), \(member), now() - \(Duration.hours(1) - .seconds(index)))
                """)
        }
        return id
    }

    package func join(_ user: UserID, _ group: GroupID) async throws {
        try await postgres.execute("INSERT INTO group_members (group_id, user_id) VALUES (\(group), \(user))")
    }

    package func leave(_ user: UserID, _ group: GroupID) async throws {
        try await postgres.execute(
            "DELETE FROM group_members WHERE group_id = \(group) AND user_id = \(user)")
    }

    package func count(_ sql: SQL) async throws -> Int { try await postgres.count(sql) }
}

extension PostgresClient {
    /// The number that a statement gives as `count`.
    package func count(_ sql: SQL) async throws -> Int { try await first(sql)?.get("count") ?? -1 }
}
