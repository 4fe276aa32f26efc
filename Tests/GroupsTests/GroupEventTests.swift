import Auth
import DaylyAPI
import Foundation
import Groups
import Postgres
import Testing

@Suite struct GroupEventTests {
    @Test("creating, joining, renaming, leaving, removing and blocking are numbered in their order")
    func kinds() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<4)
            let created = try await api.create(with: people.dropFirst().map(\.number), as: people[0])
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

    @Test("what is undone is not written down, and takes no number")
    func refused() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<13)
            let group = try await world.group(of: Array(people.prefix(12)))
            let code = try await world.invite(people[12].number, to: group).rawValue
            #expect(try await api.redeem(code, as: people[12]).code == "group_full")
            for member in people[1...3] {
                #expect(try await api.remove(member, from: group, as: people[0]).status == 204)
            }
            #expect(try await api.remove(people[4], from: group, as: people[0]).status == 429)
            #expect(try await world.events(of: group).map(\.number) == [1, 2, 3])
            #expect(try await world.count("SELECT last_event AS count FROM groups") == 3)
        }
    }

    @Test("a deleted account's events keep their numbers and forget whose they were")
    func erased() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            try await world.erase(people[1])
            #expect(try await world.events(of: group) == [Event(1, "member_left", nil)])
        }
    }

    @Test("fifty join and leave at once: no number twice, none left out")
    func race() async throws {
        try await World.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            let host = try await world.person(0)
            let group = try await world.group(of: [host])
            let people = try await world.people(100..<110)
            var codes: [[String]] = []
            for person in people {
                var own: [String] = []
                for _ in 0..<5 { own.append(try await world.invite(person.number, to: group).rawValue) }
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

    @Test("what happened more than thirty days ago is forgotten")
    func sweep() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<6)
            let group = try await world.group(of: people)
            for person in people.dropFirst() {
                #expect(try await api.leave(group, as: person).status == 204)
            }
            try await world.postgres.execute(
                "UPDATE group_events SET at = now() - interval '30 days 1 minute' WHERE number < 4")
            try await world.postgres.execute(
                "UPDATE group_events SET at = now() - interval '29 days' WHERE number = 4")
            let sweep = GroupSweep(
                groups: world.groups.groups, invites: world.invites.store, batchSize: 2)
            #expect(try await sweep.runOnce() == GroupSweep.Report(invites: 0, events: 3))
            #expect(try await world.events(of: group).map(\.number) == [4, 5])
        }
    }
}

private struct Event: Equatable {
    let number: Int
    let kind: String
    let user: UserID?

    init(_ number: Int, _ kind: String, _ person: World.Person?) {
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

extension World {
    fileprivate func events(of group: GroupID) async throws -> [Event] {
        try await postgres.query(
            "SELECT number, kind, user_id FROM group_events WHERE group_id = \(group) ORDER BY number"
        ).map(Event.init)
    }
}
