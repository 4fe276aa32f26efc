import DaylyServer
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import HTTPKit
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres

@testable import Auth

/// Every route of the service over a database of its own, and people in it who need no SMS to be signed in.
struct WholeService: TestWorld {
    let client: any TestClientProtocol
    let composition: ServerComposition

    var postgres: PostgresClient { composition.database }

    static func run(
        _ more: [String: String] = [:], overrides: ServerOverrides = ServerOverrides(),
        _ body: @escaping @Sendable (WholeService) async throws -> Void
    ) async throws {
        try await withTestDatabase { try await serve(more, on: $0, overrides: overrides, body) }
    }

    /// The same in a time that the test moves.
    static func travel(
        _ more: [String: String] = [:],
        _ body: @escaping @Sendable (WholeService, TestClock) async throws -> Void
    ) async throws {
        try await withTimeMachine { database, clock in
            var overrides = ServerOverrides()
            overrides.databaseClockAge = .zero
            overrides.storeDate = { clock.now }
            try await serve(more, on: database, overrides: overrides) { try await body($0, clock) }
        }
    }

    static func serve(
        _ more: [String: String], on database: TestDatabase, overrides: ServerOverrides = ServerOverrides(),
        _ body: @escaping @Sendable (WholeService) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let settings = [
            "DAYLY_AUTH_SIGNING_KEYS": try folder.write("signing.pem", Fixtures.signingKey),
            "DAYLY_AUTH_SECRET": String(decoding: Fixtures.secret, as: UTF8.self),
        ]
        try await Fixture.serving(
            settings.merging(more) { _, new in new }, database: database.url, overrides: overrides
        ) {
            try await body(WholeService(client: $0, composition: $1))
        }
        withExtendedLifetime(folder) {}
    }

    /// Runs each of the service's background jobs once.
    func runJobs() async throws {
        for job in composition.jobs { try await job.runOnce() }
    }

    /// Signed in at this service.
    func person(
        name: String = "Ada", number: PhoneNumber = Fixtures.phoneNumber()
    ) async throws -> Person {
        let id = try await Fixtures.user(in: postgres, phone: number, firstName: name)
        let session = try await Fixtures.session(in: postgres, of: id)
        return Person(id: id, session: session, number: number, token: try await token(of: id, session))
    }

    /// - Parameter age: how long ago it was issued.
    func token(
        of user: UserID, _ session: SessionID, age: TimeInterval = 0, now: Date = Date()
    ) async throws -> String {
        let tokens = AccessTokens(
            keys: try await SigningKeys(pems: [Fixtures.signingKey]),
            issuer: composition.configuration.http.publicURL, lifetime: .seconds(900))
        return try await tokens.issue(user: user, session: session, now: now.addingTimeInterval(-age))
    }

    /// The refresh token of a session that `Fixtures.session` made.
    static func refreshToken(_ session: SessionID) -> String {
        RefreshToken(
            session: session, generation: 0, nonce: [UInt8](repeating: 7, count: 32),
            key: AuthKeys(secret: Fixtures.secret).refreshTokens
        ).text
    }

    // MARK: Calls

    func call(
        _ method: String, _ path: String, token: String? = nil, body: String? = nil
    ) async throws -> HTTPAnswer {
        try await client.call(HTTPRequest.Method(method) ?? .get, path, body, token: token)
    }

    func call(
        _ method: String, _ path: String, token: String?, bytes: ByteBuffer?, type: String,
        idempotencyKey: String? = nil
    ) async throws -> HTTPAnswer {
        var headers: HTTPFields = bytes == nil ? [:] : [.contentType: type]
        if let idempotencyKey { headers[.idempotencyKey] = idempotencyKey }
        return try await client.call(
            HTTPRequest.Method(method) ?? .get, path, bytes: bytes, token: token, headers: headers)
    }

    // MARK: What there is

    /// A group of two, with a photo of the first one's from yesterday and an open invitation.
    struct Scene: Sendable {
        let owner: Person
        let member: Person
        let group = UUID.version7()
        let photo = UUID.version7()
        let invite = UUID.version7()
        /// The owner's phone in Focus.
        let phone = UUID.version7()
        /// A session of the owner that has ended, a schedule and an intention.
        let focusSession = UUID.version7()
        let schedule = UUID.version7()
        let intention = UUID.version7()
        /// The memorial of a pet of the owner.
        let memorial = UUID.version7()
        let invited = Fixtures.phoneNumber()
        /// The member's nickname in Focus.
        let nickname = "n" + UUID().uuidString.replacing("-", with: "").prefix(20)
    }

    func scene() async throws -> Scene {
        let scene = Scene(owner: try await person(), member: try await person(name: "Bob"))
        try await group("Breakfast", id: GroupID(scene.group), of: [scene.owner.id, scene.member.id])
        try await postgres.execute(
            """
            INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, width, height, thumbhash, photo_key,
                thumbnail_key)
            VALUES (\(scene.photo), \(scene.group), \(scene.owner.id), current_date - 1,
                now() + interval '40 hours', 640, 480, '\\x010203', \(scene.key("")), \(scene.key("_thumbnail")))
            """)
        for key in [scene.key(""), scene.key("_thumbnail")] {
            try await postgres.execute(
                """
                INSERT INTO stored_objects (key, photo_id, delete_after)
                VALUES (\(key), \(scene.photo), now() + interval '40 hours')
                """)
        }
        try await invite(scene.invite, scene.invited, to: scene.group, by: scene.owner)
        for person in [scene.owner, scene.member] {
            try await joinFocus(person.id)
            try await joinCompanion(person.id)
        }
        try await postgres.execute(
            "UPDATE focus_profiles SET nickname = \(scene.nickname) WHERE user_id = \(scene.member.id)")
        try await postgres.execute(
            """
            INSERT INTO focus_devices (user_id, number, id, platform) VALUES (\(scene.owner.id), 1, \(scene.phone), 'ios')
            """)
        try await actOnPurpose(in: scene)
        try await remember(in: scene)
        return scene
    }

    /// Gives the owner of a scene Focus Pro, a session that has ended, a schedule and an intention.
    private func actOnPurpose(in scene: Scene) async throws {
        let owner = scene.owner.id
        for statement: SQL in [
            "UPDATE focus_profiles SET pro_until = now() + interval '1 day' WHERE user_id = \(owner)",
            """
            INSERT INTO focus_sessions (id, user_id, goal_minutes, mode, beast_mode, state, started_at, ended_at, ended_on, xp)
            VALUES (\(scene.focusSession), \(owner), 5, 'block_list', false, 'completed', now() - interval '10 minutes',
                now() - interval '5 minutes', current_date, 3)
            """,
            """
            INSERT INTO focus_schedules (id, user_id, from_time, to_time, weekdays, mode, beast_mode)
            VALUES (\(scene.schedule), \(owner), '22:00', '23:00', '{1}', 'block_list', false)
            """,
            """
            INSERT INTO focus_intentions (id, user_id, label, opens, minutes, day)
            VALUES (\(scene.intention), \(owner), 'Videos', 3, 5, current_date)
            """,
        ] { try await postgres.execute(statement) }
    }

    /// Makes the user a member of Focus with one number taken by a phone.
    func joinFocus(_ user: UserID) async throws {
        try await postgres.execute(
            """
            INSERT INTO focus_profiles (user_id, consent, joined_on, last_device_number)
            VALUES (\(user), '1', current_date, 1)
            """)
    }

    /// Makes the user an owner in Companion, whose day began an hour ago.
    func joinCompanion(_ user: UserID) async throws {
        try await postgres.execute(
            """
            WITH joined AS (
                INSERT INTO companion_settings (
                    user_id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, nightly, day,
                    begins_at, ends_at)
                SELECT \(user), '1', at, 120, 120, 30, true, (at AT TIME ZONE 'UTC')::date, at, at + interval '20 hours'
                FROM (SELECT date_trunc('second', now()) - interval '1 hour' AS at) AS hour
                RETURNING user_id, day, begins_at, ends_at
            )
            INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes)
            SELECT user_id, day, begins_at, ends_at, 120 FROM joined
            """)
        try await keepPet(user)
    }

    /// Gives an owner in Companion a sick pet, and what its cure costs.
    private func keepPet(_ user: UserID) async throws {
        for statement: SQL in [
            "UPDATE companion_settings SET has_pet = true WHERE user_id = \(user)",
            """
            INSERT INTO companion_pets (
                user_id, id, species, name, health, unfed_days, last_fed, growth, fullness, mood, food_energy, food_buff,
                born_on, reset_on, outfit)
            VALUES (\(user), \(UUID.version7()), 'cat', 'Momo', 'sick', 3, 0, 0, 50, 5, 0, 0, current_date - 9,
                current_date - 2, '{}')
            """,
            """
            INSERT INTO companion_wallets (user_id, energy, gems, entries, entry_at) VALUES (\(user), 500, 500, 0, now())
            """,
        ] { try await postgres.execute(statement) }
    }

    /// Gives the owner of a scene a phone in Companion, and the memorial of a pet.
    private func remember(in scene: Scene) async throws {
        let owner = scene.owner.id
        for statement: SQL in [
            """
            INSERT INTO companion_devices (user_id, id, synced_at, events_on)
            VALUES (\(owner), \(scene.phone), now(), current_date)
            """,
            """
            INSERT INTO companion_memorials (user_id, id, name, species, growth, born_on, died_on, outfit, created_at)
            VALUES (\(owner), \(scene.memorial), 'Mochi', 'dog', 0, current_date - 9, current_date - 1, '{}', now())
            """,
        ] { try await postgres.execute(statement) }
    }

    func join(_ person: Person, _ group: UUID) async throws { try await join(person.id, GroupID(group)) }

    func invite(_ id: UUID, _ number: PhoneNumber, to group: UUID, by inviter: Person) async throws {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        let code = String((0..<6).compactMap { _ in letters.randomElement() })
        try await postgres.execute(
            """
            INSERT INTO invites (id, code, group_id, phone_number, invited_by, expires_at)
            VALUES (\(id), \(code), \(group), \(number), \(inviter.id), now() + interval '7 days')
            """)
    }

    /// Every row of every table but what is counted over time, as text.
    func rows() async throws -> [String] {
        try await postgres.everyRow().filter { !$0.hasPrefix("rate_counters ") }
    }

    func tables() async throws -> [String] {
        try await postgres.tables()
    }
}

extension WholeService.Scene {
    func key(_ suffix: String) -> String { "photos/\(photo.uuidString.lowercased())\(suffix).jpg" }
}

extension Person {
    /// The id as paths and answers spell it.
    var name: String { id.resourceID.description }
    var refreshToken: String { WholeService.refreshToken(session) }
}

extension HTTPAnswer {
    /// All that a problem says, except the name of its request.
    var problem: String {
        members.filter { $0.key != "request_id" }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
}
