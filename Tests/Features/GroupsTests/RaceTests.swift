import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Logging
import Postgres
import Testing

/// Many clients at once over two instances try everything that has a limit: no limit is exceeded, no answer is a
/// 5xx, and no row remains by mistake.
@Suite struct RaceTests {
    /// Guard: a group's row is locked while members change (`InvitationService.redeem`, `GroupService.leave`,
    /// `.remove`, `InvitationService.send`)
    @Test("of fifty people who redeem for the last seat at once, one joins")
    func lastSeat() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let members = try await world.people(0..<11)
            let group = try await world.group(of: members)
            let people = try await world.people(100..<150)
            var codes: [String] = []
            for person in people { codes.append(try await world.invite(person.phone, to: group).rawValue) }
            let invited = codes
            let answers = try await atOnce(50) { try await api.redeem(invited[$0], as: people[$0]) }
            #expect(answers.filter { $0.status == 200 }.count == 1)
            #expect(answers.filter { $0.code == "group_full" }.count == 49)
            #expect(try await world.memberCount(of: group) == 12)
            #expect(try await world.openCount(of: group) == 49)
        }
    }

    /// Guard: a user's row is locked while groups are counted (`GroupService.create`,
    /// `InvitationService.redeem`)
    @Test("of ten groups that one user creates at once, five are made")
    func sixthGroup() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let ana = try await world.person(1)
            let answers = try await atOnce(10) {
                try await api.create(with: [GroupsWorld.number($0 + 10)], as: ana)
            }
            #expect(answers.filter { $0.status == 201 }.count == 5)
            #expect(answers.filter { $0.code == "group_limit_reached" }.count == 5)
            #expect(try await world.groupCount(of: ana) == 5)
            #expect(try await world.count("SELECT count(*) AS count FROM groups") == 5)
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 5)
        }
    }

    /// Guard: a user's row is locked while groups are counted (`GroupService.create`,
    /// `InvitationService.redeem`)
    @Test("two people in four groups each who redeem ten codes at once join one more group each")
    func fifthGroup() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<2)
            let host = try await world.person(9)
            var codes: [String] = []
            for person in people {
                for _ in 0..<4 { _ = try await world.group(of: [person]) }
                for _ in 0..<10 {
                    let group = try await world.group(of: [host])
                    codes.append(try await world.invite(person.phone, to: group).rawValue)
                }
            }
            let invited = codes
            let answers = try await atOnce(20) { try await api.redeem(invited[$0], as: people[$0 / 10]) }
            for half in [answers.prefix(10), answers.suffix(10)] {
                #expect(half.filter { $0.status == 200 }.count == 1)
                #expect(half.filter { $0.code == "group_limit_reached" }.count == 9)
            }
            for person in people { #expect(try await world.groupCount(of: person) == 5) }
        }
    }

    @Test("a user in four groups who creates one and redeems a code at once succeeds with one of them")
    func createAndRedeem() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let ana = try await world.person(1)
            for _ in 0..<4 { _ = try await world.group(of: [ana]) }
            let group = try await world.group(of: [try await world.person(2)])
            let code = try await world.invite(ana.phone, to: group).rawValue
            let answers = try await atOnce(12) { index in
                index % 2 == 0
                    ? try await api.create(with: [GroupsWorld.number(50 + index)], as: ana)
                    : try await api.redeem(code, as: ana)
            }
            #expect(answers.allSatisfy { $0.status < 500 })
            #expect(try await world.groupCount(of: ana) == 5)
        }
    }

    @Test("one code that is redeemed fifty times at once makes one membership and gives one answer")
    func sameCode() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let ben = try await world.person(2)
            let thief = try await world.person(3)
            let group = try await world.group(of: [try await world.person(1)])
            let code = try await world.invite(ben.phone, to: group).rawValue
            let answers = try await atOnce(50) { try await api.redeem(code, as: $0 < 45 ? ben : thief) }
            #expect(Set(answers.prefix(45).map(\.status)) == [200])
            #expect(Set(answers.prefix(45).map(\.text)).count == 1)
            #expect(Set(answers.suffix(5).map(\.code)) == ["invite_not_found"])
            #expect(try await world.memberCount(of: group) == 2)
        }
    }

    /// Guard: an invitation's row is locked while it is judged (`InvitationStore.lockIfPresent`)
    @Test("a code that is revoked and redeemed at once is never both")
    func revokeOrRedeem() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let ana = try await world.person(1)
            for round in 0..<30 {
                let ben = try await world.person(100 + round)
                let group = try await world.group(of: [ana, try await world.person(500 + round)])
                let code = try await world.invite(ben.phone, to: group).rawValue
                let row = try await world.postgres.first("SELECT id FROM invites WHERE code = \(code)")
                let id: UUID = try #require(row).get("id")
                let answers = try await atOnce(2) { index in
                    index == round % 2
                        ? try await api.call(.delete, "invites/\(id)", as: ana)
                        : try await api.redeem(code, as: ben)
                }
                let statuses = answers.map(\.status).sorted()
                #expect(statuses == [200, 404] || statuses == [204, 404])
            }
        }
    }

    /// Guard: a group's row is locked while members change (`InvitationService.redeem`, `GroupService.leave`,
    /// `.remove`, `InvitationService.send`)
    /// Guard: an empty group is deleted (`GroupService.deleteEmpty`)
    @Test("when the last two members leave at once, the group is deleted")
    func bothLeave() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            for round in 0..<25 {
                let people = [try await world.person(round), try await world.person(100 + round)]
                let group = try await world.group(of: people)
                let answers = try await atOnce(2) { try await api.leave(group, as: people[$0]) }
                #expect(answers.map(\.status) == [204, 204])
                #expect(try await world.exists(group) == false)
            }
        }
    }

    /// Guard: a group's row is locked while members change (`InvitationService.redeem`, `GroupService.leave`,
    /// `.remove`, `InvitationService.send`)
    @Test("when two members remove each other at once, one of them stays")
    func mutualRemoval() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            for round in 0..<25 {
                let people = [try await world.person(round), try await world.person(100 + round)]
                let group = try await world.group(of: people)
                let answers = try await atOnce(2) {
                    try await api.remove(people[1 - $0], from: group, as: people[$0])
                }
                #expect(answers.map(\.status).sorted() == [204, 404])
                #expect(try await world.memberCount(of: group) == 1)
            }
        }
    }

    @Test("when the last member leaves while others join, the group has members or is deleted")
    func joinWhileDeleting() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            for round in 0..<20 {
                let owner = try await world.person(round)
                let group = try await world.group(of: [owner])
                let people = try await world.people(1000 + round * 6..<1006 + round * 6)
                var codes: [String] = []
                for person in people {
                    codes.append(try await world.invite(person.phone, to: group).rawValue)
                }
                let invited = codes
                let answers = try await atOnce(7) { index in
                    index == round % 7
                        ? try await api.leave(group, as: owner)
                        : try await api.redeem(invited[index % 6], as: people[index % 6])
                }
                #expect(answers.allSatisfy { [200, 204, 404].contains($0.status) })
                let members = try await world.memberCount(of: group)
                #expect(try await world.exists(group) == (members > 0))
                let joined = Set(answers.filter { $0.status == 200 }.map(\.text)).isEmpty ? 0 : 1
                #expect((members > 0) == (joined > 0))
            }
        }
    }

    /// Guard: a group's row is locked while members change (`InvitationService.redeem`, `GroupService.leave`,
    /// `.remove`, `InvitationService.send`)
    @Test("leaving and rejoining by many at once keeps the number of members right")
    func storm() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            let stayers = try await world.people(0..<8)
            let group = try await world.group(of: stayers)
            let people = try await world.people(100..<116)
            var codes: [[String]] = []
            for person in people {
                var own: [String] = []
                for _ in 0..<6 { own.append(try await world.invite(person.phone, to: group).rawValue) }
                codes.append(own)
            }
            let invited = codes
            let ended = Counter()
            let watcher = Task {
                var most = 0
                while ended.value == 0 {
                    most = max(most, try await world.memberCount(of: group))
                    try await Task.sleep(for: .milliseconds(2))
                }
                return most
            }
            let statuses = try await atOnce(16) { index in
                var statuses: [Int] = []
                for code in invited[index] {
                    statuses.append(try await api.redeem(code, as: people[index]).status)
                    statuses.append(try await api.leave(group, as: people[index]).status)
                }
                return statuses
            }.flatMap { $0 }
            ended.increment()
            #expect(try await watcher.value <= 12)
            #expect(Set(statuses).isSubset(of: [200, 204, 404, 409]))
            #expect(statuses.filter { $0 == 200 }.count == statuses.filter { $0 == 204 }.count)
            #expect(try await world.memberCount(of: group) == 8)
            _ = try await atOnce(8) { try await api.leave(group, as: stayers[$0]) }
            #expect(try await world.exists(group) == false)
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 0)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    @Test("one number invited twenty times at once has one open invitation")
    func sameNumber() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<4)
            let group = try await world.group(of: people)
            let answers = try await atOnce(20) {
                try await api.send([GroupsWorld.number(9)], to: group, as: people[$0 % 4])
            }
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(try await world.openCount(of: group) == 1)
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.count == 1)
        }
    }

    /// Guard: a group's row is locked while members change (`InvitationService.redeem`, `GroupService.leave`,
    /// `.remove`, `InvitationService.send`)
    @Test("many members who invite at once make at most twenty-four open invitations")
    func openLimit() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            let people = try await world.people(0..<8)
            let group = try await world.group(of: people)
            let answers = try await atOnce(40) { index in
                try await api.send([GroupsWorld.number(100 + index)], to: group, as: people[index % 8])
            }
            #expect(answers.filter { $0.status == 200 }.count == 24)
            #expect(answers.filter { $0.code == "invite_limit_reached" }.count == 16)
            #expect(try await world.openCount(of: group) == 24)
        }
    }

    /// Guard: recipients are counted in one order (`InvitationService.invite`)
    @Test("senders who invite the same numbers in opposite order do not hold each other up")
    func oppositeOrder() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<10)
            var groups: [GroupID] = []
            for person in people { groups.append(try await world.group(of: [person])) }
            let all = groups
            let numbers = (100..<108).map(GroupsWorld.number)
            let answers = try await atOnce(10) { index in
                try await api.send(
                    index % 2 == 0 ? numbers : numbers.reversed(), to: all[index], as: people[index])
            }
            #expect(Set(answers.map(\.status)) == [200])
            try await Task.sleep(for: .milliseconds(100))
            #expect(world.gateway.messages.count == 24)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    @Test("of ten removals at once by one member, three succeed")
    func removals() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<11)
            let group = try await world.group(of: people)
            let answers = try await atOnce(10) {
                try await api.remove(people[$0 + 1], from: group, as: people[0])
            }
            #expect(answers.filter { $0.status == 204 }.count == 3)
            #expect(answers.filter { $0.code == "removal_limit_reached" }.count == 7)
            #expect(try await world.memberCount(of: group) == 8)
        }
    }

    /// Guard: an account's groups are locked in one order (`GroupStore.deleteMemberships`)
    @Test("accounts that share groups can be deleted at once, without a deadlock and without remains")
    func eraseAtOnce() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<8)
            for _ in 0..<5 {
                let group = try await world.group(of: people)
                for person in people {
                    _ = try await world.invite(GroupsWorld.number(900), to: group, by: person)
                }
            }
            let middle: SQL = "SELECT 1 FROM groups ORDER BY id OFFSET 2 LIMIT 1 FOR UPDATE"
            try await world.whileHolding(middle, untilWaiting: 4) {
                _ = try await atOnce(8) { try await world.erase(people[$0]) }
            }
            for table in ["groups", "group_members", "invites", "users"] {
                #expect(try await world.count(SQL(unchecked: "SELECT count(*) AS count FROM \(table)")) == 0)
            }
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    @Test(
        "accounts that invited each other can be deleted at once, without waiting for each other's invitations"
    )
    func eraseInvitersAtOnce() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<2)
            for _ in 0..<5 {
                for (host, guest) in [(people[0], people[1]), (people[1], people[0])] {
                    _ = try await world.invite(guest.phone, to: try await world.group(of: [host]), by: host)
                }
            }
            let middle: SQL = "SELECT 1 FROM invites ORDER BY id OFFSET 5 LIMIT 1 FOR UPDATE"
            try await world.whileHolding(middle, untilWaiting: 2) {
                _ = try await atOnce(2) { try await world.erase(people[$0]) }
            }
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 0)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }
}

extension GroupsWorld {
    /// Deletes an account with this feature's hook.
    func erase(_ person: Person) async throws {
        let (service, accounts) = (groups, self.accounts)
        try await postgres.transaction { tx in
            try accounts.requireLocked(tx, person.id)
            try service.erase(tx, person.id)
            try tx.execute("DELETE FROM users WHERE id = \(person.id)")
        }
    }

    /// Runs `body` while another transaction holds the row, until so many transactions wait for a lock.
    func whileHolding(
        _ row: SQL, untilWaiting count: Int, _ body: () async throws -> Void
    ) async throws {
        let isHeld = Counter()
        let holder = Task {
            try await postgres.transaction { tx in
                try tx.execute(row)
                isHeld.increment()
                var (waiting, looks) = (0, 0)
                while waiting < count, looks < 500 {
                    looks += 1
                    try tx.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")
                    let found = try tx.first(
                        """
                        SELECT count(*) AS count FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """)
                    waiting = try found?.get("count") ?? 0
                }
            }
        }
        try await eventually { isHeld.value > 0 }
        try await body()
        try await holder.value
    }

    /// How many deadlocks there were: they are retried, so no answer shows them, but each costs a second. Nothing
    /// can be asked of this world's database afterwards.
    func closeAndCountDeadlocks() async throws -> Int {
        // A session reports what it has counted when it ends, at the latest.
        await postgres.close()
        await second?.close()
        let observer = PostgresClient(configuration: postgres.configuration, logger: .silent)
        let others: SQL = """
            SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            """
        try await eventually("the end of all other sessions") { try await observer.first(others) == nil }
        let row = try await observer.first(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        await observer.close()
        return try #require(row).get("deadlocks")
    }
}
