import DaylyTesting
import FeatureKit
import Foundation
import HTTPTypes
import Testing

@testable import Focus

extension FocusWorld {
    /// A member with Focus Pro.
    func proMember(timeZone: String = "UTC") async throws -> Person {
        let person = try await member(timeZone: timeZone)
        try await postgres.execute(
            "UPDATE focus_profiles SET pro_until = now() + interval '3000 days' WHERE user_id = \(person.id)")
        return person
    }

    /// Gives the person a device that push messages reach.
    func registerForPush(_ person: Person) async throws {
        let id = UUID()
        try await postgres.execute(
            """
            INSERT INTO devices (id, digest, token, platform, user_id, session_id)
            VALUES (\(id), \(Array(id.uuidString.utf8)), \(id.uuidString), 'ios', \(person.id), \(person.session))
            """)
    }

    func endPro(of person: Person) async throws {
        try await postgres.execute("UPDATE focus_profiles SET pro_until = now() WHERE user_id = \(person.id)")
    }

    /// Starts a session now.
    func start(
        _ person: Person, goal: Int = 25, beast: Bool = false, more: String = "", key: String? = nil
    ) async throws -> HTTPAnswer {
        try await call(
            .post, "sessions", as: person,
            """
            {"goal_minutes": \(goal), "mode": "block_list", "beast_mode": \(beast)\(more)}
            """, headers: Self.idempotent(key))
    }

    func end(_ session: HTTPAnswer, _ person: Person, _ body: String? = nil) async throws -> HTTPAnswer {
        try await call(.post, "sessions/\(session.text("id"))/end", as: person, body)
    }

    /// Holds a session of so many seconds.
    func hold(
        _ person: Person, goal: Int = 5, seconds: Int, beast: Bool = false
    ) async throws -> HTTPAnswer {
        let session = try await start(person, goal: goal, beast: beast)
        #expect(session.status == 201, "\(session)")
        try await clock.advance(by: .seconds(seconds))
        return try await end(session, person)
    }

    static func idempotent(_ key: String?) -> HTTPFields {
        guard let key, let name = HTTPField.Name("Idempotency-Key") else { return [:] }
        return [name: key]
    }

    /// The sums of the ledger: XP and coins.
    func ledger(of person: Person) async throws -> [Int] {
        let row = try #require(
            try await postgres.first(
                """
                SELECT coalesce(sum(xp), 0)::bigint AS xp, coalesce(sum(coins), 0)::bigint AS coins
                FROM focus_ledger WHERE user_id = \(person.id)
                """))
        return [try row.get("xp"), try row.get("coins")]
    }
}
