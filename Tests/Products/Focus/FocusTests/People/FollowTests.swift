import FocusAPI
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPTypes
import Postgres
import Testing

@testable import Focus

@Suite("Following")
struct FollowTests {
    @Test("members of a shared group are followed by id, others by nickname, and nobody else")
    func whom() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member(name: "Bob"))
            let cleo = try await world.member("Cleo_1", name: "Cleo")
            let stranger = try await world.person()
            try await world.group(of: [ada.id, bob.id, stranger.id])
            #expect(try await call(.put, "following/\(bob.id.rawValue)", as: ada).status == 204)
            #expect(try await call(.put, "following/\(bob.id.rawValue)", as: ada).status == 204)
            // Strangers, users without a profile, oneself, and nobody at all.
            for id in [cleo.id, stranger.id, ada.id, UserID(.version7())] {
                #expect(try await call(.put, "following/\(id.rawValue)", as: ada).code == "not_found")
            }
            let followed = try await call(.put, "following/by-nickname/cLEO_1", as: ada)
            #expect(followed.status == 200 && followed.member("nickname") == "Cleo_1")
            #expect(followed.text.contains(#""first_name":null"#))
            for nickname in ["nobody", "ada", "no%20name"] {
                #expect(
                    try await call(.put, "following/by-nickname/\(nickname)", as: ada).code == "not_found")
            }
            let list = try await call(.get, "following", as: ada).decode(FocusPersonPage.self)
            #expect(Set(list.people.map(\.userID.uuid)) == [bob.id.rawValue, cleo.id.rawValue])
            #expect(list.people.first { $0.userID.uuid == bob.id.rawValue }?.firstName == "Bob")
            let followers = try await call(.get, "followers", as: bob).decode(FocusPersonPage.self)
            #expect(followers.people.map(\.userID.uuid) == [ada.id.rawValue])
            #expect(followers.people.map(\.since) == [world.clock.now] && followers.cursor == nil)
            // Without a profile there is nothing to see.
            #expect(try await call(.get, "following", as: stranger).code == "focus_not_joined")
            #expect(
                try await call(.put, "following/\(bob.id.rawValue)", as: stranger).code == "focus_not_joined")
        }
    }

    @Test("either side ends a follow, also one that is not there")
    func ends() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            for path in ["following/\(bob.id.rawValue)", "followers/\(bob.id.rawValue)"] {
                #expect(try await call(.delete, path, as: ada).status == 204)
            }
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            // Only their own side.
            #expect(try await call(.delete, "following/\(ada.id.rawValue)", as: bob).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 1)
            #expect(try await call(.delete, "followers/\(ada.id.rawValue)", as: bob).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 0)
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            #expect(try await call(.delete, "following/\(bob.id.rawValue)", as: ada).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 0)
        }
    }

    /// Guard: a block ends follows, and a follow waits for a block that is under way
    /// (`FocusFeature.groupHooks`, `FocusFollowService.requireLocked`)
    @Test("a block of somebody whom one only follows is possible, ends both follows, and forbids new ones")
    func block() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            let cleo = try await world.member("cleo")
            #expect(try await call(.post, "/users/\(bob.id.rawValue)/block", as: ada).status == 404)
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            #expect(try await call(.put, "following/by-nickname/ada", as: bob).status == 200)
            #expect(try await call(.put, "following/by-nickname/cleo", as: ada).status == 200)
            #expect(try await call(.post, "/users/\(ada.id.rawValue)/block", as: bob).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 1)
            for (caller, other) in [(ada, "bob"), (bob, "ada")] {
                #expect(
                    try await call(.put, "following/by-nickname/\(other)", as: caller).code == "not_found")
                #expect(try await call(.get, "people/\(other)", as: caller).code == "not_found")
            }
            #expect(try await call(.get, "people/bob", as: cleo).status == 200)
            // The end of the block brings no follow back.
            #expect(try await call(.delete, "/users/\(ada.id.rawValue)/block", as: bob).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 1)
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
        }
    }

    /// How many people the follower follows, how many follow the other, and how many items the follower's feed has.
    private func seen(_ call: Calls, _ follower: Person, _ followed: Person) async throws -> [Int] {
        let following = try await call(.get, "following", as: follower).decode(FocusPersonPage.self)
        let followers = try await call(.get, "followers", as: followed).decode(FocusPersonPage.self)
        let feed = try await call(.get, "feed", as: follower).decode(FocusFeed.self)
        return [following.people.count, followers.people.count, feed.items.count]
    }

    /// Guard: a follow or a partnership across a block shows and tells nothing (`FocusBlockStore.none`)
    @Test("a follow across a block shows nothing, also if an older program has set the block")
    func strayBlock() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            #expect(try await call(.put, "following/by-nickname/bob", as: ada).status == 200)
            try await world.clock.advance(by: .hours(1))
            try await world.postgres.execute(
                """
                INSERT INTO focus_feed (user_id, id, ended_at, seconds)
                VALUES (\(bob.id), focus_feed_id(now()), now(), 3600)
                """)
            #expect(try await seen(call, ada, bob) == [1, 1, 1])
            try await world.postgres.execute(
                "INSERT INTO blocks (blocker_id, number_hmac, blocked_id) VALUES (\(bob.id), sha256(''), \(ada.id))"
            )
            #expect(try await seen(call, ada, bob) == [0, 0, 0])
        }
    }

    @Test("a follow rests while the two share no group and the followed user has no nickname")
    func rests() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member(name: "Bob"))
            let group = try await world.group(of: [ada.id, bob.id])
            #expect(try await call(.put, "following/\(bob.id.rawValue)", as: ada).status == 204)
            _ = try await world.ended(bob, at: world.now + 7_200, seconds: 3_600)
            try await world.clock.advance(by: .hours(3))
            #expect(try await seen(call, ada, bob) == [1, 1, 1])
            try await world.leave(bob.id, group)
            #expect(try await seen(call, ada, bob) == [0, 0, 0])
            try await world.postgres.execute(
                "UPDATE focus_profiles SET nickname = 'bobby' WHERE user_id = \(bob.id)")
            #expect(try await seen(call, ada, bob) == [1, 1, 1])
            let person = try await call(.get, "following", as: ada).decode(FocusPersonPage.self).people[0]
            #expect(person.firstName == nil && person.nickname == "bobby")
        }
    }

    @Test("lists come in pages of 50, newest first; a cursor of another list, user or text is expired")
    func pages() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            for index in 0..<120 {
                let other = try await world.member("p\(index + 100)")
                try await world.postgres.execute(
                    """
                    INSERT INTO focus_follows (follower_id, followed_id, since)
                    VALUES (\(ada.id), \(other.id), now() - \(Duration.seconds(index / 3)))
                    """)
            }
            var (seen, cursor): ([FocusPerson], String?) = ([], nil)
            for size in [50, 50, 20] {
                let query = cursor.map { "?cursor=\($0)" } ?? ""
                let page = try await call(.get, "following\(query)", as: ada).decode(FocusPersonPage.self)
                #expect(page.people.count == size)
                seen += page.people
                cursor = page.cursor
                if let cursor, size == 50 {
                    for (path, person) in [("followers", ada), ("following", bob), ("feed", ada)] {
                        let other = try await call(.get, "\(path)?cursor=\(cursor)", as: person)
                        #expect(other.status == 410 && other.code == "cursor_expired")
                    }
                }
            }
            #expect(cursor == nil && Set(seen.map(\.userID)).count == 120)
            #expect(seen.map(\.since) == seen.map(\.since).sorted(by: >))
            for text in ["", "x", "AAAA", "1"] {
                #expect(try await call(.get, "following?cursor=\(text)", as: ada).code == "cursor_expired")
            }
        }
    }

    /// Guard: two calls do not exceed the limit of follows together; a day has a hundred new ones
    /// (`FocusFollowService`)
    @Test("a user follows 200 people at most, and 100 new ones a day, whatever comes at once")
    func limits() async throws {
        try await PeopleWorld.run { world, call in
            let ada = try await world.member("ada")
            var others: [Person] = []
            for index in 0..<8 { others.append(try await world.member("p\(index)00")) }
            for _ in 0..<197 {
                let other = try await world.member()
                try await world.postgres.execute(
                    "INSERT INTO focus_follows (follower_id, followed_id) VALUES (\(ada.id), \(other.id))")
            }
            let people = others
            let answers = try await atOnce(8) { index in
                try await call(.put, "following/by-nickname/p\(index)00", as: ada)
            }
            #expect(answers.filter { $0.status == 200 }.count == 3)
            #expect(Set(answers.filter { $0.status != 200 }.map(\.code)) == ["follow_limit_reached"])
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 200)
            // A follow that exists is not a new one.
            let first = try #require(answers.firstIndex { $0.status == 200 })
            #expect(try await call(.put, "following/by-nickname/p\(first)00", as: ada).status == 200)
            #expect(people.count == 8)
        }
    }

    /// Guard: two calls do not exceed the limit of follows together; a day has a hundred new ones
    /// (`FocusFollowService`)
    @Test("of 101 new follows in a day the last is refused with the limit's fields, until a day has passed")
    func newFollows() async throws {
        try await PeopleWorld.run { world, call in
            let ada = try await world.member("ada")
            for index in 100..<201 { _ = try await world.member("p\(index)") }
            for index in 100..<200 {
                #expect(try await call(.put, "following/by-nickname/p\(index)", as: ada).status == 200)
                if index < 150 {
                    try await world.postgres.execute("DELETE FROM focus_follows")
                }
            }
            let refused = try await call(.put, "following/by-nickname/p200", as: ada)
            #expect(refused.status == 429 && refused.code == "rate_limited")
            #expect(refused.header("RateLimit-Policy")?.contains("q=100;w=86400") == true)
            #expect(refused.header("RateLimit")?.contains("r=0") == true)
            try await world.clock.advance(by: .hours(24))
            #expect(try await call(.put, "following/by-nickname/p200", as: ada).status == 200)
        }
    }

    @Test("the page of a nickname shows tier and current week in its owner's zone, and no name")
    func nickname() async throws {
        // Sunday evening in UTC is Monday on Kiritimati.
        try await PeopleWorld.run(at: "2026-03-01T22:00:00Z") { world, call in
            let ada = try await world.member("ada")
            let bob = try await world.member("Bob.1", name: "Robert", zone: "Pacific/Kiritimati")
            try await world.postgres.execute("SELECT make_focus_partitions('2026-02-20', '2026-03-10')")
            try await world.postgres.execute(
                """
                INSERT INTO focus_weeks (user_id, week, points, streak_count)
                VALUES (\(bob.id), '2026-03-02', 4094, 1), (\(bob.id), '2026-02-23', 100, 7)
                """)
            try await world.postgres.execute("UPDATE focus_profiles SET tier = 2 WHERE user_id = \(bob.id)")
            let answer = try await call(.get, "people/bob.1", as: ada)
            #expect(
                answer.text
                    == #"{"is_followed":false,"nickname":"Bob.1","points":40.94,"streak_count":1,"tier":"gold","#
                    + #""user_id":"\#(bob.id.resourceID)","week":"2026-03-02"}"#)
            let tag = try #require(answer.headers[.eTag])
            #expect(try await call(.get, "people/bob.1", as: ada, headers: [.ifNoneMatch: tag]).status == 304)
            #expect(try await call(.put, "following/by-nickname/bob.1", as: ada).status == 200)
            let page = try await call(.get, "people/BOB.1", as: ada).decode(FocusNickname.self)
            #expect(page.isFollowed)
            #expect(try await call(.get, "people/robert", as: ada).code == "not_found")
        }
    }

    /// Guard: a block ends follows, and a follow waits for a block that is under way
    /// (`FocusFeature.groupHooks`, `FocusFollowService.requireLocked`)
    @Test("a follow and a block at the same moment leave no follow")
    func race() async throws {
        try await PeopleWorld.run { world, call in
            for round in 0..<10 {
                let (ada, bob) = (
                    try await world.member("ada\(round)"), try await world.member("bob\(round)")
                )
                try await world.group(of: [ada.id, bob.id])
                async let follow = call(.put, "following/by-nickname/bob\(round)", as: ada)
                async let block = call(.post, "/users/\(ada.id.rawValue)/block", as: bob)
                let statuses = try await [follow.status, block.status]
                #expect([200, 404].contains(statuses[0]) && statuses[1] == 204)
            }
            #expect(try await world.count("SELECT count(*) AS count FROM focus_follows") == 0)
        }
    }
}
