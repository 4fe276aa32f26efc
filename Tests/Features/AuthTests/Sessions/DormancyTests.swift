import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import RateLimiting
import Synchronization
import Testing

@testable import Auth

@Suite("Dormant accounts")
struct DormancyTests {
    /// An account whose own row says that it was last used so many days ago.
    private func account(_ app: SignInApp, days: Int) async throws -> UserID {
        let user = try await Fixtures.user(in: app.postgres)
        try await app.postgres.execute(
            """
            UPDATE users SET last_active_on = (now() AT TIME ZONE 'UTC')::date - \(days)::integer WHERE id = \(user)
            """)
        return user
    }

    private func job(_ app: SignInApp, days: Int = 90, now: Date = Date()) -> DormantAccounts {
        DormantAccounts(auth: app.auth, age: .days(days), now: { now }, logger: .silent)
    }

    private func users(_ app: SignInApp) async throws -> Set<UserID> {
        Set(try await app.postgres.query("SELECT id FROM users").map { try $0.get("id", as: UserID.self) })
    }

    /// Guard: an account is dormant after whole days, by both clocks, and its sessions count
    /// (`UserStore.isDormant`, `DormancyLimit.day`)
    @Test(
        "an account that no client used for ninety whole days is deleted with all its hooks, and others stay")
    func deletes() async throws {
        let erased = Mutex<[UserID]>([])
        try await SignInApp.run(onErase: [{ _, user in erased.withLock { $0.append(user) } }]) { app in
            // A client may have used the account in the last second of that day.
            let stays = [try await account(app, days: 0), try await account(app, days: 90)]
            let goes = [try await account(app, days: 91), try await account(app, days: 400)]
            let unused = try await Fixtures.user(in: app.postgres)
            try await app.postgres.execute(
                "UPDATE users SET created_at = now() - interval '92 days' WHERE id = \(unused)")
            let fresh = try await Fixtures.user(in: app.postgres)
            #expect(try await job(app).runOnce() == 3)
            #expect(try await users(app) == Set(stays + [fresh]))
            #expect(Set(erased.withLock { $0 }) == Set(goes + [unused]))
            #expect(try await job(app).runOnce() == 0)
        }
    }

    /// Guard: an account is dormant after whole days, by both clocks, and its sessions count
    /// (`UserStore.isDormant`, `DormancyLimit.day`)
    @Test(
        "signing in, refreshing and any call keep an account, also when the deletion runs at the same moment")
    func uses() async throws {
        try await SignInApp.run { app in
            let numbers = (1...3).map { _ in Fixtures.phoneNumber() }
            var tokens: [String] = []
            for number in numbers { tokens.append(try await app.signIn(number).refreshToken) }
            let old: SQL = "UPDATE users SET last_active_on = now() - interval '200 days'"
            let oldSessions: SQL = "UPDATE sessions SET last_used_at = now() - interval '200 days'"
            try await app.postgres.execute(old)
            try await app.postgres.execute(oldSessions)
            try await app.forgetLimits()
            _ = try await app.signIn(numbers[0])
            #expect(try await app.refresh(tokens[1]).status == 200)
            #expect(try await job(app).runOnce() == 1)
            #expect(try await users(app).count == 2)
            // The account's own row was locked when the session was used.
            try await app.postgres.execute(old)
            #expect(try await job(app).runOnce() == 0)
            try await app.postgres.execute(oldSessions)
            #expect(try await job(app).runOnce() == 2)
        }
    }

    /// Guard: a sign-in keeps a dormant account from its first statement on (`UserStore.findOrCreate`)
    @Test("signing in keeps a dormant account from the first statement on, before its session is committed")
    func signsInMeanwhile() async throws {
        try await SignInApp.run { app in
            let user = try await account(app, days: 200)
            let number: PhoneNumber = try #require(
                try await app.postgres.first("SELECT phone_number FROM users WHERE id = \(user)")
            ).get("phone_number")
            let isOver = Mutex(false)
            let (isFound, find) = AsyncStream<Void>.makeStream()
            async let signingIn: Void = app.postgres.transaction { tx in
                _ = try app.auth.users.findOrCreate(tx, number, firstName: nil, timeZone: nil)
                find.finish()
                while !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
            defer { isOver.withLock { $0 = true } }
            for await _ in isFound {}
            async let deleted = job(app).runOnce()
            // The job waits for the row, or deletes the account without waiting.
            let waiting: SQL = """
                SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
                """
            try await eventually {
                if try await users(app) != [user] { return true }
                return try await !app.postgres.query(waiting).isEmpty
            }
            isOver.withLock { $0 = true }
            try await signingIn
            #expect(try await deleted == 0)
            #expect(try await users(app) == [user])
        }
    }

    /// Guard: an account is dormant after whole days, by both clocks, and its sessions count
    /// (`UserStore.isDormant`, `DormancyLimit.day`)
    @Test("PostgreSQL's clock alone deletes no account, however far ahead it is")
    func clockAhead() async throws {
        try await SignInApp.run { app in
            _ = try await account(app, days: 100)
            let past = Date(timeIntervalSinceNow: -20 * 86_400)
            #expect(try await job(app, now: past).runOnce() == 0)
            #expect(try await job(app, now: Date(timeIntervalSinceNow: 20 * 86_400)).runOnce() == 1)
        }
    }

    @Test("an account whose deletion fails does not stop the deletion of other accounts")
    func failures() async throws {
        struct Broken: Error {}
        let broken = Mutex<UserID?>(nil)
        try await SignInApp.run(onErase: [
            { _, user in
                if broken.withLock({ $0 }) == user { throw Broken() }
            }
        ]) { app in
            let first = try await account(app, days: 300)
            _ = try await account(app, days: 200)
            broken.withLock { $0 = first }
            await #expect(throws: Broken.self) { try await job(app).runOnce() }
            #expect(try await users(app) == [first])
        }
    }
}
