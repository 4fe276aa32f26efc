import DaylyTesting
import FeatureKit
import Postgres
import Synchronization
import Testing

@testable import Groups

/// A product that records the calls of its hooks.
private final class Product: Sendable {
    struct Refusal: Error {}

    let calls = Mutex<[String]>([])
    let refuses = Mutex(false)
    let acquainted = Mutex<Set<UserID>>([])
    let names = Mutex<[UserID: String]>([:])

    var hooks: GroupHooks {
        GroupHooks(
            onBlock: [
                { _, blocker, blocked in
                    try self.note("\(self.name(blocker)) blocks \(self.name(blocked))")
                }
            ],
            onMembershipEnd: [
                { tx, user in
                    let left = try tx.query("SELECT 1 AS one FROM group_members WHERE user_id = \(user)")
                        .count
                    try self.note("\(self.name(user)) has \(left)")
                }
            ],
            acquaintances: [
                { _, one, other in
                    self.acquainted.withLock { $0 == [one, other] }
                }
            ])
    }

    func know(_ people: [Person]) {
        names.withLock { names in
            for (index, person) in people.enumerated() { names[person.id] = "P\(index)" }
        }
    }

    func take() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    private func name(_ user: UserID) -> String { names.withLock { $0[user] ?? "?" } }

    private func note(_ call: String) throws {
        calls.withLock { $0.append(call) }
        if refuses.withLock({ $0 }) { throw Refusal() }
    }
}

@Suite("Products' parts in changes of groups")
struct GroupHookTests {
    /// Guard: products hear of the end of a membership, and say who knows whom (`GroupService.leave`,
    /// `BlockService.block`)
    @Test(
        "the end of a membership is told after leaving, removal, a block and the deletion of group and account"
    )
    func membershipEnds() async throws {
        let product = Product()
        try await GroupsWorld.run {
            $0.hooks = product.hooks
        } _: { world, api in
            let people = try await world.people(0..<4)
            product.know(people)
            let groups = [
                try await world.group(of: people), try await world.group(of: people),
                try await world.group(of: people),
            ]
            #expect(try await api.leave(groups[0], as: people[3]).status == 204)
            #expect(product.take() == ["P3 has 2"])
            let removal = try await api.call(
                .delete, "groups/\(groups[1].rawValue)/members/\(people[3].id.rawValue)", as: people[0])
            #expect(removal.status == 204 && product.take() == ["P3 has 1"])
            // A block ends the memberships that both share.
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(product.take() == ["P0 blocks P1", "P1 has 0"])
            // Again: nothing happens.
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(product.take() == [])
            // The last member takes the group along.
            let alone = try await world.group(of: [people[1]])
            #expect(try await api.leave(alone, as: people[1]).status == 204)
            #expect(product.take() == ["P1 has 0"])
            try await world.postgres.transaction { tx in try world.groups.erase(tx, people[2].id) }
            #expect(product.take() == ["P2 has 0"])
        }
    }

    @Test("a hook that fails undoes the change")
    func failure() async throws {
        let product = Product()
        try await GroupsWorld.run {
            $0.hooks = product.hooks
        } _: { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            product.refuses.withLock { $0 = true }
            #expect(try await api.leave(group, as: people[0]).status == 500)
            #expect(try await api.block(people[1], as: people[0]).status == 500)
            #expect(try await world.memberCount(of: group) == 2)
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 0)
        }
    }

    /// Guard: products hear of the end of a membership, and say who knows whom (`GroupService.leave`,
    /// `BlockService.block`)
    @Test("people who know each other in a product can be blocked without having met in a group")
    func acquaintance() async throws {
        let product = Product()
        try await GroupsWorld.run {
            $0.hooks = product.hooks
        } _: { world, api in
            let people = try await world.people(0..<3)
            product.know(people)
            product.acquainted.withLock { $0 = [people[0].id, people[1].id] }
            #expect(try await api.block(people[2], as: people[0]).status == 404)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(product.take() == ["P0 blocks P1"])
        }
    }
}
