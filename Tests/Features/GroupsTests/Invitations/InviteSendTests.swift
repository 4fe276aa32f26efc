import DaylyAPI
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct InviteSendTests {
    /// Guard: only its inviter sees whom an invitation is for (`InvitationStore.open(of:)`)
    @Test(
        "each number is invited once, and the members see open invitations, with the number only of their own"
    )
    func send() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group("Family", of: people)
            let answer = try await api.send(
                [GroupsWorld.number(5), people[0].phone, GroupsWorld.number(5)], to: group, as: people[0])
            #expect(answer.status == 200)
            let sent = try answer.decode(InvitesSent.self).sent
            #expect(sent.map(\.phoneNumber) == [GroupsWorld.number(5)])
            #expect(sent.map(\.outcome) == [.invited])
            let own = try await api.openInvitations(of: group, as: people[0])
            #expect(own.map(\.phoneNumber) == [GroupsWorld.number(5)])
            let listed = try await api.openInvitations(of: group, as: people[1])
            #expect(listed.map(\.id) == [try #require(sent[0].inviteID)])
            #expect(listed[0].phoneNumber == nil)
            #expect(listed[0].code == sent[0].code && listed[0].url == sent[0].url)
            #expect(listed[0].invitedBy == "P0")
            #expect(abs(listed[0].expiresAt.timeIntervalSinceNow - 7 * 86_400) < 60)
        }
    }

    /// Guard: nobody can test whose number belongs to a member (`InvitationService.invite` (`accepted`),
    /// `.decide` (`member`))
    @Test("nobody can test whose number belongs to a member, and the inviter of a member is told")
    func members() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let group = try await world.group("Family", of: [people[0], people[1]])
            // A member and a stranger look alike: in the answer, again, in the list, and to the quota.
            let numbers = [people[1].phone, GroupsWorld.number(5)]
            let sent = try await api.send(numbers, to: group, as: people[0]).decode(InvitesSent.self).sent
            #expect(sent.map(\.phoneNumber) == numbers)
            #expect(sent.map(\.outcome) == [.invited, .invited])
            let again = try await api.send(numbers, to: group, as: people[0]).decode(InvitesSent.self).sent
            #expect(again.map(\.code) == sent.map(\.code) && again.map(\.url) == sent.map(\.url))
            #expect(try await api.openInvitations(of: group, as: people[0]).map(\.id) == sent.map(\.inviteID))
            let taken: Int? = try await world.postgres.first(
                "SELECT sum(used)::bigint AS used FROM rate_counters WHERE scope = 'invite.sms.sender.day'")?
                .get("used")
            #expect(taken == 2)
            // The member is sent nothing and sees nothing.
            _ = try await world.gateway.messages(to: GroupsWorld.number(5))
            #expect(world.gateway.messages.allSatisfy { $0.to != people[1].phone })
            let seen = try await api.call(.get, "invites", as: people[1]).decode(ReceivedInviteList.self)
            #expect(seen.invites.isEmpty)
            // Whoever invited a member knows the number.
            let third = try await api.send([people[2].phone], to: group, as: people[1]).decode(
                InvitesSent.self)
            #expect(try await api.redeem(try #require(third.sent[0].code), as: people[2]).status == 200)
            let told = try await api.send([people[2].phone], to: group, as: people[1]).decode(
                InvitesSent.self)
            #expect(told.sent.map(\.outcome) == [.alreadyMember])
            #expect(told.sent[0].code == nil && told.sent[0].inviteID == nil && told.sent[0].url == nil)
            let other = try await api.send([people[2].phone], to: group, as: people[0]).decode(
                InvitesSent.self)
            #expect(other.sent.map(\.outcome) == [.invited])
        }
    }

    @Test("an open invitation is returned unchanged to any member who invites the same number")
    func again() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let first = try await api.send([GroupsWorld.number(5)], to: group, as: people[0]).decode(
                InvitesSent.self)
            let expiry = try await world.expiry(of: GroupsWorld.number(5))
            let second = try await api.send([GroupsWorld.number(5)], to: group, as: people[1]).decode(
                InvitesSent.self)
            #expect(first.sent[0].inviteID == second.sent[0].inviteID)
            #expect(first.sent[0].code == second.sent[0].code)
            #expect(try await world.expiry(of: GroupsWorld.number(5)) == expiry)
        }
    }

    @Test(
        "a number whose invitation has ended gets a new one",
        arguments: ["used_at = now()", "revoked_at = now()", "expires_at = now()"])
    func finished(change: String) async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            let old = try await world.invite(GroupsWorld.number(5), to: group)
            try await world.postgres.execute(SQL(unchecked: "UPDATE invites SET \(change)"))
            let sent = try await api.send([GroupsWorld.number(5)], to: group, as: ana).decode(
                InvitesSent.self
            ).sent
            #expect(sent[0].outcome == .invited)
            #expect(sent[0].code != old.rawValue)
        }
    }

    @Test("a full group sends no invitations")
    func full() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<12)
            let group = try await world.group(of: people)
            let answer = try await api.send([GroupsWorld.number(50)], to: group, as: people[3])
            #expect(answer.status == 409)
            #expect(answer.code == "group_full")
        }
    }

    @Test(
        "too many numbers, a wrong number and an empty list are refused with a pointer; the caller's own number is ignored"
    )
    func numbers() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            let tooMany = try await api.send((1...12).map(GroupsWorld.number), to: group, as: ana)
            #expect(tooMany.status == 400 && tooMany.pointer == "/phone_numbers")
            let wrong = try await api.send(["nobody"], to: group, as: ana)
            #expect(wrong.status == 400 && wrong.pointer == "/phone_numbers/0")
            #expect(try await api.send((0...11).map(GroupsWorld.number), to: group, as: ana).status == 200)
            let none = try await api.send([], to: group, as: ana)
            #expect(none.status == 400 && none.pointer == "/phone_numbers")
            #expect(try await api.send([ana.phone], to: group, as: ana).text == #"{"sent":[]}"#)
        }
    }

    /// Guard: twelve members, five groups, 24 open invitations (`GroupSettings`)
    @Test(
        "a call that would make a twenty-fifth open invitation is refused as a whole, and revoking one makes room"
    )
    func openLimit() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            for n in 1...23 { _ = try await world.invite(GroupsWorld.number(n), to: group) }
            let refused = try await api.send(
                [GroupsWorld.number(30), GroupsWorld.number(31)], to: group, as: ana)
            #expect(refused.status == 429)
            #expect(refused.code == "invite_limit_reached")
            let wait = try #require(refused.retryAfter)
            #expect((600_000...604_800).contains(wait))
            // An invitation that is open already does not count again.
            let fits = try await api.send(
                [GroupsWorld.number(1), GroupsWorld.number(30)], to: group, as: ana)
            #expect(fits.status == 200)
            #expect(try await api.send([GroupsWorld.number(31)], to: group, as: ana).status == 429)
            let id = try #require(try fits.decode(InvitesSent.self).sent[1].inviteID)
            #expect(try await api.call(.delete, "invites/\(id)", as: ana).status == 204)
            #expect(try await api.send([GroupsWorld.number(31)], to: group, as: ana).status == 200)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("after twenty SMS in a day a sender gets 429, and no invitation is made")
    func senderQuota() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            let groups = [try await world.group(of: [ana]), try await world.group(of: [ana])]
            #expect(
                try await api.send((1...11).map(GroupsWorld.number), to: groups[0], as: ana).status == 200)
            let refused = try await api.send((21...30).map(GroupsWorld.number), to: groups[1], as: ana)
            #expect(refused.status == 429)
            #expect(refused.code == "invite_limit_reached")
            #expect((1...86_400).contains(try #require(refused.retryAfter)))
            #expect(
                try await world.count("SELECT count(*) AS count FROM invites WHERE group_id = \(groups[1])")
                    == 0)
            #expect(
                try await api.send((21...29).map(GroupsWorld.number), to: groups[1], as: ana).status == 200)
            #expect(try await api.send([GroupsWorld.number(30)], to: groups[1], as: ana).status == 429)
            // An invitation that was just sent needs no SMS, so the answer can be repeated.
            #expect(
                try await api.send((21...29).map(GroupsWorld.number), to: groups[1], as: ana).status == 200)
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.count == 20)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("after three SMS to one number from all senders, an invitation is made without an SMS")
    func recipientQuota() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<4)
            for person in people {
                let group = try await world.group(of: [person])
                let answer = try await api.send([GroupsWorld.number(9)], to: group, as: person)
                #expect(answer.status == 200)
                #expect(try answer.decode(InvitesSent.self).sent[0].outcome == .invited)
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.count == 3)
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 4)
        }
    }

    /// Guard: an SMS that is not sent does not count against its recipient (`InvitationService.admitted`,
    /// `.enqueue`)
    @Test("an SMS that the ceiling or the queue refuses does not count against its recipient")
    func recipientCounts() async throws {
        let counted: SQL = """
            SELECT coalesce(sum(used), 0)::bigint AS count FROM rate_counters
            WHERE scope = 'invite.sms.recipient.month'
            """
        try await GroupsWorld.run {
            $0.messageLimits.perDay = 8
        } _: { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            // A quarter of eight messages is for invitations.
            #expect(try await api.send((1...5).map(GroupsWorld.number), to: group, as: ana).status == 200)
            #expect(try await world.count(counted) == 2)
            #expect(try await api.send([GroupsWorld.number(6)], to: group, as: ana).status == 200)
            #expect(try await world.count(counted) == 2)
        }
        try await GroupsWorld.run {
            $0.queueCapacity = 0
        } _: { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            #expect(try await api.send((1...5).map(GroupsWorld.number), to: group, as: ana).status == 200)
            #expect(try await world.count(counted) == 0)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("an invitation that is sent again gets a second SMS only after some minutes")
    func resend() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            for _ in 0..<3 {
                #expect(try await api.send([GroupsWorld.number(9)], to: group, as: ana).status == 200)
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.count == 1)
            try await world.postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() WHERE scope = 'invite.sms.resend'")
            #expect(try await api.send([GroupsWorld.number(9)], to: group, as: ana).status == 200)
            _ = try await world.gateway.messages(to: GroupsWorld.number(9), count: 2)
        }
    }

    @Test("without rate limits nothing is counted over time, but the limit on open invitations holds")
    func unlimited() async throws {
        try await GroupsWorld.run {
            $0.ratesEnforced = false
        } _: { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            for _ in 0..<5 {
                #expect(
                    try await api.send((1...11).map(GroupsWorld.number), to: group, as: ana).status == 200)
            }
            try await Task.sleep(for: .milliseconds(100))
            #expect(world.gateway.messages.count == 55)
            #expect(try await api.send((12...22).map(GroupsWorld.number), to: group, as: ana).status == 200)
            let refused = try await api.send((23...25).map(GroupsWorld.number), to: group, as: ana)
            #expect(refused.code == "invite_limit_reached")
        }
    }

    @Test("when the queue is full, the invitation is made without an SMS")
    func queueFull() async throws {
        try await GroupsWorld.run {
            $0.queueCapacity = 0
        } _: { world, api in
            let ana = try await world.person(0)
            let group = try await world.group(of: [ana])
            let answer = try await api.send([GroupsWorld.number(9)], to: group, as: ana)
            #expect(answer.status == 200)
            #expect(try answer.decode(InvitesSent.self).sent[0].outcome == .invited)
            #expect(world.gateway.messages.isEmpty)
        }
    }

    @Test("names are neutralised in the SMS, and a configured download link replaces the page")
    func hostileNames() async throws {
        try await GroupsWorld.run {
            $0.downloadLink = "https://get.dayly.test"
        } _: { world, api in
            let ana = try await world.person(0, name: "evil.com")
            let group = try await world.group("Win \"now\" at https://evil.com", of: [ana])
            let sent = try await api.send([GroupsWorld.number(9)], to: group, as: ana).decode(
                InvitesSent.self
            ).sent
            let code = try #require(sent[0].code)
            #expect(
                try await world.gateway.messages(to: GroupsWorld.number(9))[0].body == """
                    evil. com invited you to share daily photos with "Win 'now' at https: evil. com" on Dayly.
                    Download: https://get.dayly.test
                    Join with code: \(code)
                    """)
        }
    }

    @Test("the invitee sees open invitations to their number, except of groups that they are in")
    func mine() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1, name: "Ana")
            let ben = try await world.person(2)
            let group = try await world.group("Family", of: [ana])
            let joined = try await world.group("Joined", of: [ana, ben])
            let code = try await world.invite(ben.phone, to: group, by: ana)
            _ = try await world.invite(ben.phone, to: joined, by: ana)
            _ = try await world.invite(GroupsWorld.number(3), to: group, by: ana)
            let invites = try await api.call(.get, "invites", as: ben).decode(ReceivedInviteList.self).invites
            #expect(invites.map(\.code) == [code.rawValue])
            #expect(invites[0].groupName == "Family" && invites[0].invitedBy == "Ana")
            #expect(invites[0].groupID.uuid == group.rawValue)
            for change in [
                "used_at = now()", "used_at = NULL, revoked_at = now()",
                "revoked_at = NULL, expires_at = now()",
            ] {
                try await world.postgres.execute(SQL(unchecked: "UPDATE invites SET \(change)"))
                #expect(try await api.call(.get, "invites", as: ben).text == #"{"invites":[]}"#)
                let list = try await api.call(.get, "groups/\(group.rawValue)/invites", as: ana)
                #expect(list.text == #"{"invites":[]}"#)
            }
        }
    }

    @Test("any member can revoke an open invitation once, and its code is unknown afterwards")
    func revoke() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let group = try await world.group(of: [people[0], people[1]])
            let sent = try await api.send([people[2].phone], to: group, as: people[0])
                .decode(InvitesSent.self).sent[0]
            let id = try #require(sent.inviteID)
            #expect(try await api.call(.delete, "invites/\(id)", as: people[2]).code == "not_found")
            #expect(try await api.call(.delete, "invites/\(id)", as: people[1]).status == 204)
            #expect(try await api.call(.delete, "invites/\(id)", as: people[1]).code == "not_found")
            let code = try #require(sent.code)
            #expect(try await api.redeem(code, as: people[2]).code == "invite_not_found")
        }
    }
}

extension GroupsWorld {
    fileprivate func expiry(of number: String) async throws -> Date {
        let row = try await postgres.first("SELECT expires_at FROM invites WHERE phone_number = \(number)")
        return try #require(row).get("expires_at")
    }
}
