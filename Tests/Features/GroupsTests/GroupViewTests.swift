import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct GroupViewTests {
    @Test("groups are listed oldest first, with their members in the order in which they joined")
    func list() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let first = try await world.group("First", of: people)
            let second = try await world.group("Second", of: [people[2], people[0]])
            _ = try await world.group("Another", of: [people[1]])
            let answer = try await api.call(.get, "groups", as: people[0])
            #expect(answer.status == 200)
            let groups = try answer.decode(GroupList.self).groups
            #expect(groups.map(\.id.uuid) == [first.rawValue, second.rawValue])
            #expect(groups.map(\.name) == ["First", "Second"])
            #expect(groups[0].members.map(\.id.uuid) == people.map(\.id.rawValue))
            #expect(groups[0].members.map(\.firstName) == ["P0", "P1", "P2"])
            #expect(groups[1].memberCount == 2)
            #expect(groups[0].muted == false)
            #expect(answer.text.contains(#""next_send_at":null"#))
            #expect(answer.text.contains(#""last_photo_at":null"#))
        }
    }

    /// Guard: a kept list of members belongs to one newest event, and goes after an hour without a use
    /// (`GroupViews`, `BoundedCache`)
    @Test("a list that was read before shows who has joined, left or taken another name since")
    func changedMembers() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let group = try await world.group(of: [people[0]])
            func names() async throws -> [String?] {
                let list = try await api.call(.get, "groups", as: people[0]).decode(GroupList.self)
                return try #require(list.groups.first).members.map(\.firstName)
            }
            try await world.join(people[1], group)
            for _ in 0..<2 { #expect(try await names() == ["P0", "P1"]) }
            try await world.join(people[2], group)
            #expect(try await names() == ["P0", "P1", "P2"])
            try await world.postgres.transaction { tx in
                try tx.execute("UPDATE users SET first_name = 'Bea' WHERE id = \(people[1].id)")
                try world.groups.groups.recordRename(tx, of: people[1].id)
            }
            #expect(try await names() == ["P0", "Bea", "P2"])
            #expect(try await api.leave(group, as: people[2]).status == 204)
            #expect(try await names() == ["P0", "Bea"])
        }
    }

    @Test("a user without groups gets an empty list, and a member without a name has a null")
    func nothing() async throws {
        try await GroupsWorld.run { world, api in
            let person = try await world.person(1)
            let answer = try await api.call(.get, "groups", as: person)
            #expect(answer.text == #"{"groups":[]}"#)
            let group = try await world.group(of: [person])
            let one = try await api.call(.get, "groups/\(group.rawValue)", as: person).decode(PhotoGroup.self)
            #expect(one.members.map(\.firstName) == [nil])
        }
    }

    @Test(
        "a group shows that the caller has sent today, and when their day ends, for this group and this caller alone"
    )
    func sent() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1, timeZone: "Pacific/Kiritimati")
            let ben = try await world.person(2, timeZone: "Pacific/Pago_Pago")
            let group = try await world.group(of: [ana, ben])
            let other = try await world.group(of: [ana])
            try await world.send(ana, to: group, daysAgo: 0)
            let mine = try await world.view(of: group, for: ana.id)
            #expect(mine.hasSentToday)
            let next = try #require(mine.nextSendAt)
            #expect(next > Date() && next.timeIntervalSinceNow <= 86_400)
            var kiritimati = Calendar(identifier: .gregorian)
            kiritimati.timeZone = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
            #expect(next == kiritimati.startOfDay(for: next))
            #expect(try await world.view(of: group, for: ben.id).hasSentToday == false)
            #expect(try await world.view(of: other, for: ana.id).hasSentToday == false)
        }
    }

    @Test("a group shows nothing of a day that is over, or of a slot that was never used")
    func sentBefore() async throws {
        try await GroupsWorld.run { world, _ in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            try await world.send(ana, to: group, daysAgo: 1)
            var view = try await world.view(of: group, for: ana.id)
            #expect(!view.hasSentToday && view.nextSendAt == nil)
            try await world.postgres.execute("UPDATE photo_slots SET last_sent_on = NULL")
            view = try await world.view(of: group, for: ana.id)
            #expect(!view.hasSentToday && view.nextSendAt == nil)
        }
    }

    @Test("after the sender travels west, the day that they used lies ahead and allows no second photo")
    func travelledWest() async throws {
        try await GroupsWorld.run { world, _ in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            try await world.send(ana, to: group, daysAgo: -1)
            let view = try await world.view(of: group, for: ana.id)
            #expect(view.hasSentToday)
            let next = try #require(view.nextSendAt)
            #expect(next.timeIntervalSinceNow > 86_400 - 1)
        }
    }

    @Test("the last photo is the newest live one of this group, never a pending or expired one")
    func lastPhoto() async throws {
        try await GroupsWorld.run { world, _ in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            let other = try await world.group(of: [ana])
            let live = try await world.photo(ana, group, minutesAgo: 90)
            _ = try await world.photo(ana, group, minutesAgo: 200)
            _ = try await world.photo(ana, group, minutesAgo: 30, isExpired: true)
            _ = try await world.photo(ana, group, minutesAgo: 10, isPending: true)
            _ = try await world.photo(ana, other, minutesAgo: 5)
            let view = try await world.view(of: group, for: ana.id)
            let shown = try #require(view.lastPhotoAt)
            #expect(abs(shown.timeIntervalSince(live)) < 0.001)
        }
    }

    @Test("a member may rename the group; names follow the rules for names")
    func rename() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            let path = "groups/\(group.rawValue)"
            let renamed = try await api.call(.put, path, as: ana, #"{"name": "  Cafe\u0301  "}"#)
            #expect(renamed.status == 200)
            #expect(try renamed.decode(PhotoGroup.self).name == "Caf\u{E9}")
            #expect(try await world.view(of: group, for: ana.id).name == "Caf\u{E9}")
            let longest = String(repeating: "x", count: 50)
            #expect(try await api.call(.put, path, as: ana, #"{"name": "\#(longest)"}"#).status == 200)
            for name in ["", "   ", longest + "x", #"a\u202Eb"#, #"a\nb"#, #"\u200B"#] {
                let refused = try await api.call(.put, path, as: ana, #"{"name": "\#(name)"}"#)
                #expect(refused.status == 400)
                #expect(refused.code == "invalid_request")
                #expect(refused.pointer == "/name")
            }
            #expect(try await api.call(.put, path, as: ana, "{}").code == "invalid_request")
        }
    }

    @Test("a call without an identity is refused")
    func anonymous() async throws {
        try await GroupsWorld.run { world, api in
            for path in ["groups", "invites"] {
                let answer = try await api.call(.get, path, as: nil)
                #expect(answer.code == "unauthorized")
            }
        }
    }
}

extension GroupsWorld {
    /// Uses up the sender's local day so many days ago; a negative number is a day in the future.
    func send(_ sender: Person, to group: GroupID, daysAgo: Int) async throws {
        try await postgres.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
            SELECT \(group), id, local_day(now(), time_zone) - \(daysAgo)::integer
            FROM users WHERE id = \(sender.id)
            """)
    }

    func photo(
        _ sender: Person, _ group: GroupID, minutesAgo: Int, isExpired: Bool = false, isPending: Bool = false
    ) async throws -> Date {
        let id = UUID.version7()
        let row = try await postgres.first(
            """
            INSERT INTO photos (
                id, group_id, sender_id, sent_on, created_at, lease_until, expires_at, width, height, thumbhash,
                photo_key, thumbnail_key
            )
            VALUES (
                \(id), \(group), \(sender.id), current_date - \(minutesAgo)::integer,
                now() - \(Duration.minutes(minutesAgo)),
                CASE WHEN \(isPending) THEN now() + interval '30 seconds' END,
                CASE WHEN \(isPending) THEN NULL
                    WHEN \(isExpired) THEN now() ELSE now() + interval '1 day' END,
                100, 100, \([UInt8](repeating: 1, count: 20)), \(id.uuidString), \(id.uuidString + "t")
            )
            RETURNING created_at
            """)
        return try #require(row).get("created_at")
    }
}
