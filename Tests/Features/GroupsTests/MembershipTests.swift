import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct MembershipTests {
    /// Guard: an empty group is deleted (`GroupService.deleteEmpty`)
    @Test("leaving ends a membership, and the last member who leaves deletes the group with all its data")
    func leave() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            _ = try await world.invite(GroupsWorld.number(9), to: group)
            _ = try await world.photo(people[0], group, minutesAgo: 5)
            try await world.send(people[0], to: group, daysAgo: 0)
            #expect(try await api.leave(group, as: people[0]).status == 204)
            #expect(try await api.leave(group, as: people[0]).status == 404)
            #expect(try await world.exists(group))
            #expect(try await world.count("SELECT count(*) AS count FROM photos") == 1)
            #expect(try await api.leave(group, as: people[1]).status == 204)
            #expect(try await world.exists(group) == false)
            for table in ["group_members", "invites", "photos", "photo_slots"] {
                #expect(try await world.count(SQL(unchecked: "SELECT count(*) AS count FROM \(table)")) == 0)
            }
        }
    }

    @Test(
        "when the last member leaves, the objects of this group's photos are due at once, and no others"
    )
    func objects() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let other = try await world.group(of: people)
            for place in [group, other] { _ = try await world.photo(people[0], place, minutesAgo: 5) }
            try await world.postgres.execute(
                """
                INSERT INTO stored_objects (key, photo_id, delete_after)
                SELECT key, id, now() + interval '2 days'
                FROM photos, unnest(ARRAY[photo_key, thumbnail_key]) AS key
                """)
            let due: SQL = "SELECT count(*) AS count FROM stored_objects WHERE delete_after <= now()"
            #expect(try await api.leave(group, as: people[0]).status == 204)
            #expect(try await world.count(due) == 0)
            #expect(try await api.leave(group, as: people[1]).status == 204)
            #expect(try await world.count(due) == 2)
            #expect(try await world.count("SELECT count(*) AS count FROM stored_objects") == 4)
        }
    }

    @Test("leaving frees a seat for the next redemption, also one by the former member")
    func seat() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<13)
            let group = try await world.group(of: Array(people.prefix(12)))
            let code = try await world.invite(people[12].phone, to: group).rawValue
            #expect(try await api.redeem(code, as: people[12]).code == "group_full")
            #expect(try await api.leave(group, as: people[3]).status == 204)
            let back = try await world.code(of: api.send([people[3].phone], to: group, as: people[0]))
            #expect(try await api.redeem(code, as: people[12]).status == 200)
            #expect(try await api.redeem(back, as: people[3]).code == "group_full")
            #expect(try await api.leave(group, as: people[12]).status == 204)
            #expect(try await api.redeem(back, as: people[3]).status == 200)
        }
    }

    @Test("any member can remove another, and removing oneself is leaving")
    func remove() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let stranger = try await world.person(9)
            let group = try await world.group(of: people)
            #expect(try await api.remove(people[0], from: group, as: people[2]).status == 204)
            #expect(try await api.remove(people[0], from: group, as: people[2]).code == "not_found")
            #expect(try await api.remove(stranger, from: group, as: people[2]).code == "not_found")
            #expect(try await api.remove(people[2], from: group, as: people[2]).status == 204)
            #expect(try await api.remove(people[1], from: group, as: people[1]).status == 204)
            #expect(try await world.exists(group) == false)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("a member can remove three others a day over all groups, and leaving is not counted")
    func removalLimit() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<6)
            let group = try await world.group(of: people)
            let other = try await world.group(of: people)
            // A removal that finds no member does not count.
            let stranger = try await world.person(9)
            #expect(try await api.remove(stranger, from: group, as: people[0]).status == 404)
            #expect(try await api.remove(people[1], from: group, as: people[0]).status == 204)
            #expect(try await api.remove(people[2], from: group, as: people[0]).status == 204)
            #expect(try await api.remove(people[1], from: other, as: people[0]).status == 204)
            let refused = try await api.remove(people[3], from: group, as: people[0])
            #expect(refused.status == 429)
            #expect(refused.code == "removal_limit_reached")
            #expect((1...86_400).contains(try #require(refused.retryAfter)))
            #expect(try await world.memberCount(of: group) == 4)
            #expect(try await api.remove(people[3], from: group, as: people[4]).status == 204)
            #expect(try await api.remove(people[0], from: group, as: people[0]).status == 204)
        }
    }

    @Test("without rate limits removals are not counted")
    func unlimited() async throws {
        try await GroupsWorld.run {
            $0.ratesEnforced = false
        } _: { world, api in
            let people = try await world.people(0..<6)
            let group = try await world.group(of: people)
            for member in people.dropFirst() {
                #expect(try await api.remove(member, from: group, as: people[0]).status == 204)
            }
        }
    }

    @Test("a removed member may be invited and join again")
    func rejoin() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            #expect(try await api.remove(people[1], from: group, as: people[0]).status == 204)
            #expect(try await api.send([people[1].phone], to: group, as: people[0]).status == 200)
            let code = try await world.code(for: people[1])
            #expect(try await api.redeem(code, as: people[1]).status == 200)
        }
    }

    /// Guard: a membership's row is locked while a decision rests on it (`GroupStore.requireMember`)
    @Test("a transaction that holds a membership makes leaving and removal wait")
    func heldMembership() async throws {
        try await GroupsWorld.run { world, _ in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let store = world.groups.groups
            let holding = Counter()
            let holder = Task {
                try await world.postgres.transaction { tx in
                    try store.requireMember(tx, group: group, user: people[1].id, lock: true)
                    holding.increment()
                    try tx.execute("SELECT pg_sleep(0.6)")
                    // The membership exists until the transaction ends.
                    try store.requireMember(tx, group: group, user: people[1].id, lock: true)
                    return ContinuousClock.now
                }
            }
            try await eventually { holding.value > 0 }
            try await world.groups.remove(people[1].id, from: group, by: people[0].id)
            let removed = ContinuousClock.now
            #expect(try await holder.value < removed)
        }
    }

    @Test("requiring a membership finds members only")
    func requireMember() async throws {
        try await GroupsWorld.run { world, _ in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: [people[0]])
            let store = world.groups.groups
            try await store.requireMember(group: group, user: people[0].id)
            await #expect(throws: GroupError.notFound) {
                try await store.requireMember(group: group, user: people[1].id)
            }
            for lock in [true, false] {
                await #expect(throws: GroupError.notFound) {
                    try await world.postgres.transaction { tx in
                        try store.requireMember(
                            tx, group: group, user: people[1].id, lock: lock)
                    }
                }
            }
        }
    }

    @Test(
        "deleting an account ends its memberships, deletes groups that are empty then, and deletes its invitations"
    )
    func erase() async throws {
        try await GroupsWorld.run { world, _ in
            let people = try await world.people(0..<3)
            let alone = try await world.group(of: [people[0]])
            let shared = try await world.group(of: people)
            let other = try await world.group(of: [people[1]])
            _ = try await world.invite(GroupsWorld.number(8), to: alone, by: people[0])
            _ = try await world.invite(GroupsWorld.number(8), to: shared, by: people[0])
            _ = try await world.invite(people[0].phone, to: other, by: people[1])
            let used = try await world.invite(people[2].phone, to: shared, by: people[0])
            let kept = try await world.invite(GroupsWorld.number(8), to: shared, by: people[1])
            try await world.postgres.execute(
                "UPDATE invites SET used_at = now(), used_by = \(people[2].id) WHERE code = \(used)")
            let service = world.groups
            try await world.postgres.transaction { tx in
                try world.accounts.requireLocked(tx, people[0].id)
                try service.erase(tx, people[0].id)
                try tx.execute("DELETE FROM users WHERE id = \(people[0].id)")
            }
            #expect(try await world.exists(alone) == false)
            #expect(try await world.memberCount(of: shared) == 2)
            let rows = try await world.postgres.query(
                "SELECT code, invited_by FROM invites ORDER BY created_at, id")
            let codes: [InvitationCode] = try rows.map { try $0.get("code") }
            #expect(codes == [used, kept])
            let inviter: UserID? = try rows[0].get("invited_by")
            #expect(inviter == nil)
        }
    }
}

extension GroupsWorld {
    /// The code of the newest invitation to somebody.
    func code(for person: Person) async throws -> String {
        let row = try await postgres.first(
            "SELECT code FROM invites WHERE phone_number = \(person.phone) ORDER BY created_at DESC LIMIT 1")
        return try #require(row).get("code")
    }
}
