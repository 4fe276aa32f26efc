import FocusAPI
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Focus

@Suite("The feed")
struct FeedTests {
    /// Guard: the feed shows what ended after the follow began, of users whose feed is on; ids name hours
    /// (`FocusFeedStore.page`, `focus_feed_id` (0038))
    @Test("the feed shows long streaks and closed weeks of followed users, cut to the hour, newest first")
    func items() async throws {
        try await PeopleWorld.run(at: "2026-03-04T12:00:00Z") { world, call in
            let ada = try await world.member("ada")
            let (bob, cleo) = (try await world.member("bob", name: "Bob"), try await world.member("cleo"))
            try await world.group(of: [ada.id, bob.id])
            for nickname in ["bob", "cleo"] {
                #expect(try await call(.put, "following/by-nickname/\(nickname)", as: ada).status == 200)
            }
            let start = world.now
            try await world.clock.advance(by: .days(6))
            _ = try await world.ended(bob, at: start + 4_000, seconds: 3_600)
            _ = try await world.ended(bob, at: start + 5_000, seconds: 3_599)
            _ = try await world.ended(cleo, at: start + 9_000, seconds: 7_261)
            try await world.postgres.execute("SELECT make_focus_partitions('2026-02-20', '2026-03-10')")
            try await world.postgres.execute(
                """
                INSERT INTO focus_weeks (user_id, week, points, streak_count)
                VALUES (\(bob.id), '2026-03-02', 4094, 2), (\(cleo.id), '2026-03-02', 0, 0)
                """)
            for _ in 0..<2 { _ = try await world.close.runOnce() }
            let answer = try await call(.get, "feed", as: ada)
            let items = try answer.decode(FocusFeed.self).items
            #expect(items.map(\.kind) == ["week", "streak", "streak"])
            #expect(items.map(\.minutes) == [nil, 121, 60])
            #expect(items.map(\.firstName) == ["Bob", nil, "Bob"])
            #expect(items.map(\.nickname) == ["bob", "cleo", "bob"])
            #expect(items[0].week == "2026-03-02" && items[0].points == 40.94 && items[0].streakCount == 2)
            #expect(
                items.map(\.at)
                    == ["2026-03-09T17:00:00Z", "2026-03-04T14:00:00Z", "2026-03-04T13:00:00Z"]
                    .compactMap { try? Date($0, strategy: .iso8601) })
            // Nor do the ids name the minute.
            #expect(items.allSatisfy { $0.id.hour == $0.at })
            #expect(items[1].points == nil && items[1].week == nil && items[1].streakCount == nil)
        }
    }

    /// Guard: the feed shows what ended after the follow began, of users whose feed is on; ids name hours
    /// (`FocusFeedStore.page`, `focus_feed_id` (0038))
    @Test("nothing is shown that ended before the follow began, or of users whose feed is off")
    func hidden() async throws {
        try await PeopleWorld.run { world, call in
            let ada = try await world.member("ada")
            let bob = try await world.member("bob", feed: false)
            let early = world.now - 60
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            try await world.clock.advance(by: .hours(3))
            _ = try await world.ended(bob, at: early, seconds: 3_600)
            _ = try await world.ended(bob, at: early + 60, seconds: 3_600)
            _ = try await world.ended(bob, at: early + 61, seconds: 3_600)
            func count() async throws -> Int {
                try await call(.get, "feed", as: ada).decode(FocusFeed.self).items.count
            }
            #expect(try await count() == 0)
            try await world.postgres.execute(
                "UPDATE focus_profiles SET feed = true WHERE user_id = \(bob.id)")
            #expect(try await count() == 1)
            // A follow that begins anew shows nothing of before.
            #expect(try await call(.delete, "following/\(bob.id.rawValue)", as: ada).status == 204)
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            #expect(try await count() == 0)
        }
    }

    @Test("a late event changes or removes a streak, and one that stays keeps its id")
    func late() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            let end = world.now + 7_200
            try await world.clock.advance(by: .hours(3))
            let first = try await world.ended(bob, at: end, seconds: 7_200)
            func items() async throws -> [FocusFeedItem] {
                try await call(.get, "feed", as: ada).decode(FocusFeed.self).items
            }
            let id = try await items().map(\.id)
            let shorter = try await world.ended(bob, at: end, seconds: 5_400, instead: first)
            let changed = try await items()
            #expect(changed.map(\.minutes) == [90] && changed.map(\.id) == id)
            _ = try await world.ended(bob, at: end, seconds: 1_800, instead: shorter)
            #expect(try await items().isEmpty)
        }
    }

    /// Guard: old items of feeds are deleted until none is left (`FocusFeedStore.deleteOld`)
    @Test("the feed comes in pages of 50, each item once, and forgets after 30 days")
    func pages() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            let start = world.now
            try await world.clock.advance(by: .days(8))
            for index in 1...120 { _ = try await world.ended(bob, at: start + index * 4_000, seconds: 3_700) }
            var (seen, cursor): ([FocusFeedItem], String?) = ([], nil)
            for size in [50, 50, 20] {
                let query = cursor.map { "?cursor=\($0)" } ?? ""
                let page = try await call(.get, "feed\(query)", as: ada).decode(FocusFeed.self)
                #expect(page.items.count == size)
                (seen, cursor) = (seen + page.items, page.cursor ?? (size == 50 ? "none" : nil))
            }
            #expect(cursor == nil && Set(seen.map(\.id)).count == 120)
            #expect(seen.map(\.at) == seen.map(\.at).sorted(by: >))
            let page = try await call(.get, "feed", as: ada).decode(FocusFeed.self)
            let old = try #require(page.cursor)
            try await world.clock.advance(by: .days(30))
            #expect(try await call(.get, "feed?cursor=\(old)", as: ada).code == "cursor_expired")
            #expect(try await call(.get, "feed", as: ada).decode(FocusFeed.self).items.isEmpty)
            #expect(try await world.feature.feed.deleteOld(batch: 50) == 120)
        }
    }

    @Test("nothing is kept of users without followers, nor of those who leave Focus")
    func unfollowed() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            _ = try await world.ended(bob, at: world.now, seconds: 3_600)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_feed") == 0)
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            _ = try await world.ended(bob, at: world.now + 30, seconds: 3_600)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_feed") == 1)
            #expect(try await call(.delete, "profile", as: bob).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_feed") == 0)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 0)
        }
    }
}

extension ResourceID {
    /// The time of a UUID of version 7.
    fileprivate var hour: Date {
        let bytes = [
            uuid.uuid.0, uuid.uuid.1, uuid.uuid.2, uuid.uuid.3, uuid.uuid.4, uuid.uuid.5,
        ]
        return Date(timeIntervalSince1970: Double(bytes.reduce(0) { $0 << 8 | Int($1) }) / 1_000)
    }
}
