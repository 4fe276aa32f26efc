import Auth
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Groups

@Suite struct GroupEventTests {
    /// Guard: every change of members gets a number (`GroupStore.record`)
    @Test("creating, joining, renaming, leaving, removing and blocking are logged under consecutive numbers")
    func kinds() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<4)
            let created = try await api.create(with: people.dropFirst().map(\.phone), as: people[0])
                .decode(GroupCreated.self)
            let group = GroupID(rawValue: created.group.id.uuid)
            for (person, invitation) in zip(people.dropFirst(), created.invitations) {
                #expect(try await api.redeem(try #require(invitation.code), as: person).status == 200)
            }
            let path = "groups/\(group.rawValue)"
            for name in ["New", "New"] {
                #expect(try await api.call(.put, path, as: people[1], #"{"name": "\#(name)"}"#).status == 200)
            }
            #expect(try await api.leave(group, as: people[1]).status == 204)
            #expect(try await api.remove(people[2], from: group, as: people[0]).status == 204)
            #expect(try await api.block(people[3], as: people[0]).status == 204)
            #expect(
                try await world.events(of: group) == [
                    Event(1, "member_joined", people[0]), Event(2, "member_joined", people[1]),
                    Event(3, "member_joined", people[2]), Event(4, "member_joined", people[3]),
                    Event(5, "group_renamed", nil), Event(6, "member_left", people[1]),
                    Event(7, "member_left", people[2]), Event(8, "member_left", people[3]),
                ])
            #expect(try await api.leave(group, as: people[0]).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM group_events") == 0)
        }
    }

    @Test("a change that is rolled back leaves no event and takes no number")
    func refused() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<13)
            let group = try await world.group(of: Array(people.prefix(12)))
            let code = try await world.invite(people[12].phone, to: group).rawValue
            #expect(try await api.redeem(code, as: people[12]).code == "group_full")
            for member in people[1...3] {
                #expect(try await api.remove(member, from: group, as: people[0]).status == 204)
            }
            #expect(try await api.remove(people[4], from: group, as: people[0]).status == 429)
            #expect(try await world.events(of: group).map(\.number) == [1, 2, 3])
            #expect(try await world.count("SELECT last_event AS count FROM groups") == 3)
        }
    }

    @Test("the events of a deleted account keep their numbers and no longer name the user")
    func erased() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            try await world.erase(people[1])
            #expect(try await world.events(of: group) == [Event(1, "member_left", nil)])
        }
    }

    /// Guard: every change of members gets a number (`GroupStore.record`)
    @Test("when fifty people join and leave at once, no number is used twice or left out")
    func race() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            let host = try await world.person(0)
            let group = try await world.group(of: [host])
            let people = try await world.people(100..<110)
            var codes: [[String]] = []
            for person in people {
                var own: [String] = []
                for _ in 0..<5 { own.append(try await world.invite(person.phone, to: group).rawValue) }
                codes.append(own)
            }
            let invited = codes
            let statuses = try await atOnce(10) { index in
                var statuses: [Int] = []
                for code in invited[index] {
                    statuses.append(try await api.redeem(code, as: people[index]).status)
                    statuses.append(try await api.leave(group, as: people[index]).status)
                }
                return statuses
            }
            #expect(Set(statuses.flatMap { $0 }) == [200, 204])
            #expect(try await world.events(of: group).map(\.number) == Array(1...100))
        }
    }

    /// Guard: renames in a loop leave one event for each name, and every cursor stays known
    /// (`GroupStore.replace`, `LogPosition.isKnown`)
    @Test(
        "renames in a loop leave one event for each name, under a new number, and older cursors stay valid"
    )
    func renames() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let path = "groups/\(group.rawValue)"
            func rename(_ name: String) async throws -> Int {
                try await api.call(.put, path, as: people[0], #"{"name": "\#(name)"}"#).status
            }
            func callMyself() async throws {
                try await world.postgres.transaction { tx in
                    try world.groups.groups.recordRename(tx, of: people[1].id)
                }
            }
            try await world.join(people[1], group)
            var places = [try await world.end(of: group)]
            // An event remembers so many places before it.
            for round in 0..<15 {
                #expect(try await rename("Name \(round)") == 200)
                places.append(try await world.end(of: group))
                try await callMyself()
                places.append(try await world.end(of: group))
            }
            #expect(
                try await world.events(of: group) == [
                    Event(1, "member_joined", people[1]), Event(30, "group_renamed", nil),
                    Event(31, "member_renamed", people[1]),
                ])
            let log = GroupLogStore(postgres: world.postgres)
            for place in places {
                #expect(try await log.knows(place, of: group, for: people[0].id), "\(place)")
            }
            let foreign = LogPosition(number: places[20].number, stamp: places[20].stamp ^ 1)
            #expect(try await log.knows(foreign, of: group, for: people[0].id) == false)
            let pages = try await log.events(after: [group: places[20].number], limit: 10)
            #expect(pages.first?.changes.map(\.position.number) == [30, 31])
            #expect(pages.first?.changes.first.map { $0.previous <= places[20].number } == true)
            // Another event between two renames keeps both of them.
            try await world.leave(people[1], group)
            #expect(try await rename("Last") == 200)
            #expect(try await world.events(of: group).map(\.number) == [1, 30, 31, 32, 33])
        }
    }

    /// Guard: a deleted group leaves one erasure record; new groups per day are limited
    /// (`record_membership_end`, `GroupService.leave`, `GroupSettings.creationLimit`)
    @Test(
        "a group that is created and left in a loop leaves one erasure record each time, and new groups per day are limited"
    )
    func createAndLeave() async throws {
        try await GroupsWorld.run({ $0.rules.creationsPerDay = 3 }) { world, api in
            let ana = try await world.person(1)
            for _ in 0..<3 {
                let created = try await api.create(with: [GroupsWorld.number(7)], as: ana).decode(
                    GroupCreated.self)
                #expect(try await api.leave(GroupID(rawValue: created.group.id.uuid), as: ana).status == 204)
            }
            let refused = try await api.create(with: [GroupsWorld.number(7)], as: ana)
            #expect(refused.status == 429 && refused.code == "rate_limited")
            let kinds = try await world.postgres.query(
                "SELECT kind, count(*) AS count FROM erasures GROUP BY kind"
            ).map { "\(try $0.get("kind", as: String.self)) \(try $0.get("count", as: Int.self))" }
            #expect(kinds == ["group 3"])
            for table in ["group_events", "former_members", "invites"] {
                #expect(try await world.count("SELECT count(*) AS count FROM \(identifier: table)") == 0)
            }
        }
    }

    /// Guard: only old events are forgotten, and no reader waits long for it
    /// (`GroupStore.emptyOldPartitions`, `.deleteOldEvents`)
    @Test("events older than three days are deleted a day's partition at a time, and late rows one by one")
    func sweep() async throws {
        try await GroupsWorld.run { world, api in
            let group = try await world.group(of: [try await world.person(1)])
            // Events of six days, and of a seventh in the first one's partition.
            for days in 0..<7 {
                try await world.postgres.execute(
                    """
                    INSERT INTO group_events (group_id, number, kind, at, partition)
                    VALUES (\(group), \(10 - days), 'group_renamed', now() - \(Duration.hours(24 * days)),
                        event_partition(now() - \(Duration.hours(24 * days))))
                    """)
            }
            let sweep = world.sweep(batchSize: 2)
            let report = GroupSweep.Report(invitations: 0, partitions: 3, events: 1)
            #expect(try await sweep.runOnce() == report)
            #expect(try await world.events(of: group).map(\.number) == [8, 9, 10])
            #expect(try await sweep.runOnce() == GroupSweep.Report(invitations: 0, events: 0))
        }
    }

    /// Guard: only old events are forgotten, and no reader waits long for it
    /// (`GroupStore.emptyOldPartitions`, `.deleteOldEvents`)
    @Test("a partition that another transaction reads is left to the next run")
    func busy() async throws {
        try await GroupsWorld.run { world, api in
            let group = try await world.group(of: [try await world.person(1)])
            try await world.postgres.execute(
                """
                INSERT INTO group_events (group_id, number, kind, at, partition)
                VALUES (\(group), 1, 'group_renamed', now() - interval '100 hours', 0)
                """)
            let store = world.groups.groups
            let (reading, done) = (Counter(), Counter())
            let reader = Task {
                try await world.postgres.transaction { tx in
                    try tx.execute("SELECT count(*) FROM group_events")
                    reading.increment()
                    while done.value == 0 { try tx.execute("SELECT pg_sleep(0.01)") }
                }
            }
            try await eventually { reading.value > 0 }
            let meanwhile = try await store.emptyOldPartitions(retention: .seconds(72 * 3_600))
            done.increment()
            try await reader.value
            #expect(meanwhile == 0)
            let after = try await store.emptyOldPartitions(retention: .seconds(72 * 3_600))
            #expect(after == 1)
        }
    }
}

private struct Event: Equatable {
    let number: Int
    let kind: String
    let user: UserID?

    init(_ number: Int, _ kind: String, _ person: Person?) {
        self.number = number
        self.kind = kind
        user = person?.id
    }

    init(_ row: PostgresRow) throws {
        number = try row.get("number")
        kind = try row.get("kind")
        user = try row.get("user_id")
    }
}

extension GroupsWorld {
    func join(_ person: Person, _ group: GroupID) async throws {
        try await postgres.transaction { tx in
            try groups.groups.requireLocked(tx, group)
            try tx.execute("DELETE FROM group_members WHERE group_id = \(group) AND user_id = \(person.id)")
            try groups.groups.insertMember(tx, group: group, user: person.id)
        }
    }

    fileprivate func leave(_ person: Person, _ group: GroupID) async throws {
        try await postgres.transaction { tx in
            try groups.groups.requireLocked(tx, group)
            try groups.groups.deleteMember(tx, group: group, user: person.id)
        }
    }

    /// Where the group's log ends.
    fileprivate func end(of group: GroupID) async throws -> LogPosition {
        let row = try await postgres.first(
            "SELECT \(fragment: LogPosition.columns) FROM groups g WHERE g.id = \(group)")
        return try LogPosition(try #require(row))
    }

    fileprivate func events(of group: GroupID) async throws -> [Event] {
        try await postgres.query(
            "SELECT number, kind, user_id FROM group_events WHERE group_id = \(group) ORDER BY number"
        ).map(Event.init)
    }
}

extension GroupLogStore {
    fileprivate func knows(_ place: LogPosition, of group: GroupID, for user: UserID) async throws -> Bool {
        try await memberships(of: user, since: [group: place]).first { $0.group == group }?.isKnown ?? false
    }
}
