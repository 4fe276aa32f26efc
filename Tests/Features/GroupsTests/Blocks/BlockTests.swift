import Auth
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct BlockTests {
    @Test("the blocked person leaves every shared group, and no other")
    func leaves() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let shared = [try await world.group(of: people), try await world.group(of: people.reversed())]
            let own = try await world.group(of: [people[1], people[2]])
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            for group in shared {
                let left = try await world.view(of: group, for: people[0].id)
                #expect(Set(left.members.map(\.id)) == [people[0].id, people[2].id])
            }
            #expect(try await world.memberCount(of: own) == 2)
            #expect(
                try await api.call(.get, "groups/\(shared[0].rawValue)", as: people[1]).code == "not_found")
            // Again: nothing changes, and nothing is counted.
            for _ in 0..<5 { #expect(try await api.block(people[1], as: people[0]).status == 204) }
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 1)
        }
    }

    @Test("the blocker sees their blocks, newest first, and ends them by unblocking")
    func list() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            _ = try await world.group(of: people)
            for other in people.dropFirst() {
                #expect(try await api.block(other, as: people[0]).status == 204)
                try await Task.sleep(for: .milliseconds(2))
            }
            let listed = try await api.call(.get, "users/me/blocks", as: people[0]).decode(BlockList.self)
                .blocks
            #expect(listed.map(\.id.uuid) == [people[2].id.rawValue, people[1].id.rawValue])
            #expect(listed.map(\.firstName) == ["P2", "P1"])
            #expect(abs(listed[0].blockedAt.timeIntervalSinceNow) < 60)
            #expect(try await api.call(.get, "users/me/blocks", as: people[1]).text == #"{"blocks":[]}"#)
            // A user can end only their own blocks.
            #expect(try await api.unblock(people[0], as: people[1]).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 2)
            for _ in 0..<2 { #expect(try await api.unblock(people[1], as: people[0]).status == 204) }
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 1)
        }
    }

    /// Guard: only people met in a group can be blocked (`GroupStore.haveMet`)
    @Test("blocking oneself is refused; strangers and unknown users are not found; a recent fellow member is")
    func whom() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let group = try await world.group(of: [people[0], people[1]])
            #expect(try await api.block(people[0], as: people[0]).code == "invalid_request")
            #expect(try await api.unblock(people[0], as: people[0]).code == "invalid_request")
            let unknown = Person(
                id: UserID(.version7()), session: SessionID(.version7()), number: Fixtures.phoneNumber(),
                token: "")
            let answers = [
                try await api.block(unknown, as: people[0]), try await api.block(people[2], as: people[0]),
                try await api.call(.post, "users/me/block", as: people[0]),
            ]
            #expect(Set(answers.map(\.status)) == [404] && Set(answers.map(\.code)) == ["not_found"])
            #expect(try await api.unblock(unknown, as: people[0]).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 0)
            // The former member and the remaining one can block each other.
            #expect(try await api.leave(group, as: people[0]).status == 204)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(try await api.block(people[0], as: people[1]).status == 204)
            #expect(try await world.memberCount(of: group) == 1)
        }
    }

    /// Guard: a former member can be blocked for thirty days (`GroupStore.haveMet`, `.deleteFormerMembers`)
    @Test("a former member can be blocked for thirty days and not longer, even when the log is kept for less")
    func afterLeaving() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<4)
            let group = try await world.group(of: people)
            for person in people[1...2] { #expect(try await api.leave(group, as: person).status == 204) }
            try await world.postgres.execute("DELETE FROM group_events")
            let sweep = world.sweep(batchSize: 1)
            func age(_ person: Person, _ age: Duration) async throws {
                try await world.postgres.execute(
                    """
                    UPDATE former_members SET left_at = now() - \(age)
                    WHERE user_id = \(person.id)
                    """)
            }
            try await age(people[1], .days(29))
            try await age(people[2], .days(30) + .minutes(1))
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(try await api.block(people[2], as: people[0]).status == 404)
            #expect(try await sweep.runOnce().formerMembers == 1)
            #expect(try await world.count("SELECT count(*) AS count FROM former_members") == 1)
            // A user who came back is a member.
            let code = try await world.invite(people[2].phone, to: group).rawValue
            #expect(try await api.redeem(code, as: people[2]).status == 200)
            #expect(try await api.block(people[2], as: people[3]).status == 204)
        }
    }

    /// Guard: a block that removes is a removal (`BlockService.block`)
    @Test(
        "a block that removes its target counts as one removal over all groups; a block without removal counts as none"
    )
    func removalLimit() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<6)
            let groups = [try await world.group(of: people), try await world.group(of: people)]
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            #expect(try await api.remove(people[2], from: groups[0], as: people[0]).status == 204)
            #expect(try await api.remove(people[3], from: groups[0], as: people[0]).status == 204)
            #expect(try await api.remove(people[4], from: groups[0], as: people[0]).status == 429)
            let refused = try await api.block(people[5], as: people[0])
            #expect(refused.status == 429 && refused.code == "removal_limit_reached")
            #expect((1...86_400).contains(try #require(refused.retryAfter)))
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 1)
            #expect(try await world.groupCount(of: people[5]) == 2)
            // A user who leaves first may block at any time.
            for group in groups { #expect(try await api.leave(group, as: people[0]).status == 204) }
            #expect(try await api.block(people[5], as: people[0]).status == 204)
            #expect(try await world.groupCount(of: people[5]) == 2)
        }
    }

    /// Guard: a code does not open a group against a block, and is not listed (`BlockStore.forbids` in
    /// `InvitationStore.lockIfPresent` and `.open(for:)`)
    @Test(
        "after a block by either person, no invitation or redemption brings the two into one group",
        arguments: [true, false])
    func paths(callerIsBlocked: Bool) async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let (ana, ben, third) = (people[0], people[1], people[2])
            let meeting = try await world.group("Meeting", of: people)
            let early = try await world.invite(ben.phone, to: try await world.group(of: [ana]), by: ana)
            _ = try await api.block(callerIsBlocked ? ana : ben, as: callerIsBlocked ? ben : ana)
            let home = try await world.group("Home", of: [ana])
            // Ana invites, ana creates, a third member invites and creates.
            var codes = [early.rawValue]
            codes.append(try await world.code(of: api.send([ben.phone], to: home, as: ana)))
            codes.append(try await world.code(of: api.create(with: [ben.phone], as: ana)))
            let party = try await world.group("Party", of: [third, ana])
            codes.append(try await world.code(of: api.send([ben.phone], to: party, as: third)))
            for code in codes {
                let answer = try await api.redeem(code, as: ben)
                #expect(answer.status == 404 && answer.code == "invite_not_found")
            }
            let listed = try await api.call(.get, "invites", as: ben)
            #expect(listed.text == #"{"invites":[]}"#)
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.filter { $0.to == ben.phone }.isEmpty)
            // A third person's group without either of them takes the first who redeems, and not the second.
            #expect(try await api.leave(party, as: ana).status == 204)
            let mixed = try await world.group("Mixed", of: [third])
            let sent = try await api.send([ana.phone, ben.phone], to: mixed, as: third)
                .decode(InvitesSent.self).sent
            #expect(try await api.redeem(try #require(sent[0].code), as: ana).status == 200)
            #expect(try await api.redeem(try #require(sent[1].code), as: ben).code == "invite_not_found")
            #expect(try await world.sharedGroups(ana, ben) == 0)
            #expect(try await world.exists(meeting))
        }
    }

    /// Guard: no SMS is sent against a block or a STOP (`InvitationService.decide`)
    /// Guard: the sender's quota counts invitations whose SMS is left out (`InvitationService.decide`)
    @Test("an inviter cannot tell a block from an ordinary invitation, not even by their quota")
    func inviterSeesNothing() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            _ = try await world.group(of: people)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            let group = try await world.group(of: [people[1]])
            let answer = try await api.send(
                [people[0].phone, people[2].phone], to: group, as: people[1])
            let sent = try answer.decode(InvitesSent.self).sent
            #expect(sent.map(\.outcome) == [.invited, .invited])
            #expect(sent.allSatisfy { $0.code?.count == 6 && $0.inviteID != nil && $0.url != nil })
            let again = try await api.send(
                [people[0].phone, people[2].phone], to: group, as: people[1])
            #expect(again.text == answer.text)
            let listed = try await api.call(.get, "groups/\(group.rawValue)/invites", as: people[1])
                .decode(GroupInviteList.self).invites
            #expect(listed.count == 2)
            let used = try await world.count(
                "SELECT used AS count FROM rate_counters WHERE scope = 'invite.sms.sender.day'")
            #expect(used == 2)
            _ = try await world.gateway.messages(to: people[2].phone)
            #expect(world.gateway.messages.count == 1)
        }
    }

    /// Guard: a code does not open a group against a block, and is not listed (`BlockStore.forbids` in
    /// `InvitationStore.lockIfPresent` and `.open(for:)`)
    @Test("a blocked invitee of a full group is told that the code is unknown, not that the group is full")
    func full() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<13)
            _ = try await world.group(of: [people[0], people[12]])
            let group = try await world.group(of: Array(people.prefix(12)))
            let code = try await world.invite(people[12].phone, to: group, by: people[1]).rawValue
            #expect(try await api.redeem(code, as: people[12]).code == "group_full")
            #expect(try await api.block(people[12], as: people[0]).status == 204)
            #expect(try await api.redeem(code, as: people[12]).code == "invite_not_found")
        }
    }

    @Test("after unblocking, an invitation that is still open is open again")
    func unblocked() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            let code = try await world.code(of: api.send([people[1].phone], to: group, as: people[0]))
            #expect(try await api.redeem(code, as: people[1]).status == 404)
            #expect(try await api.unblock(people[1], as: people[0]).status == 204)
            #expect(try await world.memberCount(of: group) == 1)
            #expect(try await api.redeem(code, as: people[1]).status == 200)
        }
    }

    /// Guard: a block holds for the number, also of a new account (`BlockStore` (`number_hmac`), `.recognise`
    /// in `create` and `redeem`)
    @Test(
        "a block outlives the blocked account: its number stays out, in either direction",
        arguments: [true, false])
    func madeAnew(byCreating: Bool) async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            _ = try await world.group(of: people)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            try await world.erase(people[1])
            #expect(try await api.call(.get, "users/me/blocks", as: people[0]).text == #"{"blocks":[]}"#)
            let home = try await world.group(of: [people[0]])
            let code = try await world.code(of: api.send([people[1].phone], to: home, as: people[0]))
            let anew = try await world.person(1, name: "P1")
            #expect(anew.phone == people[1].phone)
            #expect(try await api.redeem(code, as: anew).code == "invite_not_found")
            #expect(try await api.check([people[0].phone], as: anew).text.contains(#""existing":[]"#))
            #expect(try await api.check([anew.phone], as: people[0]).text.contains(#""existing":[]"#))
            // The blocked account's own group, or a third person's, without the blocker in it.
            let back: String?
            if byCreating {
                back = try await api.create(with: [people[0].phone], as: anew)
                    .decode(GroupCreated.self).invitations[0].code
            } else {
                let party = try await world.group(of: [people[2]])
                let sent = try await api.send([anew.phone, people[0].phone], to: party, as: people[2])
                    .decode(InvitesSent.self).sent
                #expect(try await api.redeem(try #require(sent[0].code), as: anew).status == 200)
                back = sent[1].code
            }
            #expect(try await api.redeem(try #require(back), as: people[0]).code == "invite_not_found")
            let listed = try await api.call(.get, "users/me/blocks", as: people[0]).decode(BlockList.self)
                .blocks
            #expect(listed.map(\.id.uuid) == [anew.id.rawValue])
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.filter { $0.to == people[1].phone }.count == (byCreating ? 0 : 1))
        }
    }

    @Test("a deleted account leaves only a hash in blocks against it, and its own blocks are deleted")
    func erased() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            _ = try await world.group(of: people)
            #expect(try await api.block(people[1], as: people[0]).status == 204)
            try await world.erase(people[1])
            let row = try await world.postgres.first("SELECT b::text AS text FROM blocks b")
            let text = try #require(row).get("text", as: String.self).lowercased()
            #expect(!text.contains(people[1].id.rawValue.uuidString.lowercased()))
            #expect(!text.contains(people[1].phone.dropFirst()))
            try await world.erase(people[0])
            #expect(try await world.count("SELECT count(*) AS count FROM blocks") == 0)
        }
    }
}

extension GroupsWorld {
    /// The code of the only invitation in an answer.
    func code(of answer: HTTPAnswer) throws -> String {
        let sent =
            (try? answer.decode(InvitesSent.self).sent)
            ?? (try? answer.decode(GroupCreated.self).invitations) ?? []
        return try #require(sent.first?.code)
    }

    func sharedGroups(_ one: Person, _ other: Person) async throws -> Int {
        try await count(
            """
            SELECT count(*) AS count FROM group_members a JOIN group_members b USING (group_id)
            WHERE a.user_id = \(one.id) AND b.user_id = \(other.id)
            """)
    }
}
