import Auth
import DaylyTesting
import Foundation
@testable import Groups
import Postgres
import Testing

/// Blocking against everything that brings people into groups, over two instances of the service: whatever comes
/// first, the two are in no group together afterwards.
@Suite struct BlockRaceTests {
    private static let rounds = 50

    /// Guard: a block locks both users' rows, by id (`BlockService.block`, `UserStore.lockIfPresent`)
    @Test(
        "a block and a redemption at once, by the blocked person or by the blocker, never leave both in one group"
    )
    func redeem() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            var joined = 0
            for round in 0..<Self.rounds {
                let (ana, ben) = try await world.pairThatMet(round)
                let group = try await world.group(of: [round.isMultiple(of: 2) ? ana : ben])
                let guest = round.isMultiple(of: 2) ? ben : ana
                let code = try await world.invite(guest.phone, to: group).rawValue
                let answers = try await atOnce(2) { index in
                    index == round % 3 % 2
                        ? try await api.block(ben, as: ana) : try await api.redeem(code, as: guest)
                }
                #expect(Set(answers.map(\.status)).isSubset(of: [200, 204, 404]))
                #expect(answers.contains { $0.status == 204 })
                joined += answers.filter { $0.status == 200 }.count
                #expect(try await world.sharedGroups(ana, ben) == 0, "round \(round)")
                #expect(try await world.memberCount(of: group) >= 0)
            }
            #expect(joined > 0 && joined < Self.rounds, "one order never happened: \(joined)")
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    /// Guard: a block locks both users' rows, by id (`BlockService.block`, `UserStore.lockIfPresent`)
    @Test("a block while both people redeem codes of a third person's group never leaves both in it")
    func bothRedeem() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            let host = try await world.person(9_000)
            for round in 0..<Self.rounds {
                let (ana, ben) = try await world.pairThatMet(round)
                let group = try await world.group(of: [host])
                let codes = [
                    try await world.invite(ana.phone, to: group, by: host).rawValue,
                    try await world.invite(ben.phone, to: group, by: host).rawValue,
                ]
                let answers = try await atOnce(3) { index in
                    switch (index + round) % 3 {
                    case 0: try await api.block(ben, as: ana)
                    case 1: try await api.redeem(codes[0], as: ana)
                    default: try await api.redeem(codes[1], as: ben)
                    }
                }
                #expect(answers.allSatisfy { [200, 204, 404].contains($0.status) })
                #expect(try await world.sharedGroups(ana, ben) == 0, "round \(round)")
            }
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    /// Guard: a code does not open a group against a block, and is not listed (`BlockStore.forbids` in
    /// `InvitationStore.lockIfPresent` and `.open(for:)`)
    @Test(
        "a block at the same time as an invitation between the two people leaves a code that is unknown"
    )
    func inviting() async throws {
        try await GroupsWorld.run({ ($0.ratesEnforced, $0.instances) = (false, 2) }) { world, api in
            for round in 0..<Self.rounds {
                let (ana, ben) = try await world.pairThatMet(round)
                let group = try await world.group(of: [ana])
                let answers = try await atOnce(3) { index in
                    switch (index + round) % 3 {
                    case 0: try await api.block(ben, as: ana)
                    case 1: try await api.create(with: [ana.phone], as: ben)
                    default: try await api.send([ben.phone], to: group, as: ana)
                    }
                }
                #expect(Set(answers.map(\.status)) == [200, 201, 204])
                for answer in answers where answer.status != 204 {
                    let code = try world.code(of: answer)
                    let guest = answer.status == 201 ? ana : ben
                    #expect(try await api.redeem(code, as: guest).code == "invite_not_found")
                }
                #expect(try await world.sharedGroups(ana, ben) == 0, "round \(round)")
            }
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    /// Guard: a block locks both users' rows, by id (`BlockService.block`, `UserStore.lockIfPresent`)
    @Test("when two people block each other at once, both blocks stand, and one of them stays in the group")
    func mutual() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            for round in 0..<Self.rounds {
                let people = [try await world.person(round), try await world.person(1_000 + round)]
                let group = try await world.group(of: people)
                let answers = try await atOnce(2) { try await api.block(people[1 - $0], as: people[$0]) }
                #expect(answers.map(\.status) == [204, 204])
                #expect(try await world.memberCount(of: group) == 1)
            }
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 2 * Self.rounds)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    /// Guard: a block that removes is a removal (`BlockService.block`)
    @Test("many people who block many others at once remove at most three each, and no call deadlocks")
    func many() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<11)
            let group = try await world.group(of: people)
            let other = try await world.group(of: people.reversed())
            let answers = try await atOnce(10) { try await api.block(people[$0 + 1], as: people[0]) }
            #expect(answers.filter { $0.status == 204 }.count == 3)
            #expect(answers.filter { $0.code == "removal_limit_reached" }.count == 7)
            #expect(try await world.memberCount(of: group) == 8)
            #expect(try await world.memberCount(of: other) == 8)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }

    /// Guard: blocks of a deleted account are locked in one order (`BlockStore.lockAll`)
    @Test(
        "two accounts that block each other can be deleted at once, without waiting for each other's blocks")
    func erase() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let people = try await world.people(0..<4)
            for (one, other) in [(0, 1), (1, 0), (0, 2), (1, 3)] {
                try await world.insertBlock(people[one], people[other])
            }
            let last: SQL = """
                SELECT 1 FROM blocks WHERE blocked_id IN (\(people[2].id), \(people[3].id)) FOR UPDATE
                """
            try await world.whileHolding(last, untilWaiting: 2) {
                _ = try await atOnce(2) { try await world.erase(people[$0]) }
            }
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 0)
            #expect(try await world.closeAndCountDeadlocks() == 0)
        }
    }
}

extension GroupsWorld {
    /// Two former members of one group.
    fileprivate func pairThatMet(_ round: Int) async throws -> (Person, Person) {
        let ana = try await person(round, name: "Ana")
        let ben = try await person(1_000 + round, name: "Ben")
        let group = try await group(of: [try await person(2_000 + round)])
        try await postgres.execute(
            """
            INSERT INTO former_members (group_id, user_id)
            VALUES (\(group), \(ana.id)), (\(group), \(ben.id))
            """)
        return (ana, ben)
    }

    fileprivate func insertBlock(_ blocker: Person, _ blocked: Person) async throws {
        try await postgres.execute(
            """
            INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
            VALUES (\(blocker.id), \(Array(blocked.phone.utf8)), \(blocked.id))
            """)
    }
}
