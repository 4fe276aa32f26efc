import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct RedeemTests {
    @Test("a code makes its number's owner a member, and gives the same answer again")
    func redeem() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(2)
            let group = try await world.group("Family", of: [ana])
            let code = try await world.invite(ben.phone, to: group)
            for _ in 0..<2 {
                let answer = try await api.redeem(code.rawValue, as: ben)
                #expect(answer.status == 200)
                let redeemed = try answer.decode(InviteRedeemed.self)
                #expect(redeemed.groupID.uuid == group.rawValue)
                #expect(redeemed.groupName == "Family")
            }
            #expect(try await world.memberCount(of: group) == 2)
            #expect(try await api.call(.get, "groups/\(group.rawValue)", as: ben).status == 200)
            #expect(
                try await api.call(.get, "groups/\(group.rawValue)/invites", as: ben).text
                    == #"{"invites":[]}"#)
        }
    }

    @Test("case, spaces and dashes do not matter")
    func typed() async throws {
        try await GroupsWorld.run { world, api in
            let ben = try await world.person(2)
            let group = try await world.group(of: [try await world.person(1)])
            let code = try await world.invite(ben.phone, to: group).rawValue.lowercased()
            let typed = " \(code.prefix(2))-\(code.dropFirst(2).prefix(2)) \(code.suffix(2))  "
            #expect(try await api.redeem(typed, as: ben).status == 200)
        }
    }

    @Test(
        "any text of up to 1,000 characters is answered as a code; a longer one or none is a malformed request"
    )
    func lengths() async throws {
        try await GroupsWorld.run { world, api in
            let ben = try await world.person(2)
            for text in ["", "x", String(repeating: "é", count: 1_000), "🏡", "ABC234"] {
                #expect(try await api.redeem(text, as: ben).code == "invite_not_found")
            }
            let tooLong = try await api.redeem(String(repeating: "A", count: 1_001), as: ben)
            #expect(tooLong.code == "invalid_request" && tooLong.pointer == "/code")
            #expect(try await api.call(.post, "invites/redeem", as: ben, "{}").code == "invalid_request")
        }
    }

    /// Guard: a code is valid for its number only, while it is open (`InvitationStore.lockIfPresent`,
    /// `GroupStore.lockInvited`)
    @Test("codes that are unknown, used, revoked, expired or another number's get the same answer")
    func refusals() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(2)
            let group = try await world.group(of: [ana])
            let foreign = try await world.invite(GroupsWorld.number(3), to: group)
            var codes = [foreign.rawValue, "ZZZZZZ"]
            for change in ["used_at = now()", "revoked_at = now()", "expires_at = now()"] {
                let code = try await world.invite(ben.phone, to: group)
                try await world.postgres.execute(
                    "UPDATE invites SET \(fragment: SQL(unchecked: change)) WHERE code = \(code)")
                codes.append(code.rawValue)
            }
            var answers: Set<String> = []
            for code in codes {
                let answer = try await api.redeem(code, as: ben)
                #expect(answer.status == 404)
                #expect(answer.code == "invite_not_found")
                answers.insert(answer.text.replacing(/"request_id":"[^"]*"/, with: ""))
            }
            #expect(answers.count == 1)
            #expect(try await world.memberCount(of: group) == 1)
        }
    }

    @Test("a former member cannot use their old code again, and rejoins with a new one")
    func leftSince() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(2)
            let group = try await world.group(of: [ana])
            let code = try await world.invite(ben.phone, to: group).rawValue
            #expect(try await api.redeem(code, as: ben).status == 200)
            #expect(try await api.leave(group, as: ben).status == 204)
            #expect(try await api.redeem(code, as: ben).code == "invite_not_found")
            let sent = try await api.send([ben.phone], to: group, as: ana).decode(InvitesSent.self).sent
            #expect(try await api.redeem(try #require(sent[0].code), as: ben).status == 200)
        }
    }

    @Test("a member who redeems a code uses it up")
    func alreadyMember() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let code = try await world.invite(people[1].phone, to: group)
            #expect(try await api.redeem(code.rawValue, as: people[1]).status == 200)
            #expect(try await world.memberCount(of: group) == 2)
            #expect(try await world.openCount(of: group) == 0)
        }
    }

    /// Guard: twelve members, five groups, 24 open invitations (`GroupSettings`)
    @Test("a code of a full group stays open until a seat is free")
    func full() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<13)
            let group = try await world.group(of: Array(people.prefix(12)))
            let code = try await world.invite(people[12].phone, to: group).rawValue
            for _ in 0..<2 {
                let refused = try await api.redeem(code, as: people[12])
                #expect(refused.status == 409 && refused.code == "group_full")
            }
            #expect(try await api.leave(group, as: people[4]).status == 204)
            #expect(try await api.redeem(code, as: people[12]).status == 200)
            #expect(try await world.memberCount(of: group) == 12)
        }
    }

    @Test("a user in five groups keeps the code until they have left one")
    func groupLimit() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            var groups: [GroupID] = []
            for _ in 0..<5 { groups.append(try await world.group(of: [people[1]])) }
            let group = try await world.group(of: [people[0]])
            let code = try await world.invite(people[1].phone, to: group).rawValue
            let refused = try await api.redeem(code, as: people[1])
            #expect(refused.status == 409 && refused.code == "group_limit_reached")
            #expect(try await api.leave(groups[2], as: people[1]).status == 204)
            #expect(try await api.redeem(code, as: people[1]).status == 200)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("after ten wrong codes in an hour a right code is refused, too")
    func userLimit() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: [people[0]])
            let code = try await world.invite(people[1].phone, to: group).rawValue
            for _ in 0..<10 { #expect(try await api.redeem("ZZZZZZ", as: people[1]).status == 404) }
            for guess in ["ZZZZZZ", code] {
                let refused = try await api.redeem(guess, as: people[1])
                #expect(refused.status == 429 && refused.code == "rate_limited")
                #expect((1...3_600).contains(try #require(refused.retryAfter)))
            }
            #expect(try await world.memberCount(of: group) == 1)
            try await world.postgres.execute("UPDATE rate_counters SET window_ends_at = now()")
            #expect(try await api.redeem(code, as: people[1]).status == 200)
        }
    }

    /// Guard: a code in a message is the last one, behind other people's words (`TypedInvitationCode.named`)
    @Test("a code is redeemed by its link and by the whole message")
    func pasted() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(2)
            let group = try await world.group("Summer ZZZZZ2", of: [ana])
            let sent = try await api.send([ben.phone], to: group, as: ana).decode(InvitesSent.self).sent
            let message = try #require(try await world.gateway.messages(to: ben.phone).first).body
            for text in [message, try #require(sent[0].url), try #require(sent[0].url) + "/)."] {
                let escaped = text.replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
                #expect(try await api.redeem(escaped, as: ben).status == 200)
            }
        }
    }

    /// Guard: a character that no code has is explained and not counted (`TypedInvitationCode.mistake`)
    @Test("a 0, O, 1 or I, and a letter of another alphabet, are explained and do not count as wrong codes")
    func mistaken() async throws {
        try await GroupsWorld.run {
            $0.rules.wrongCodesPerUser = 1
        } _: { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(2)
            let code = try await world.invite(ben.phone, to: world.group(of: [ana])).rawValue
            for (text, hint) in [("ABC1O2", "no 0, O, 1 or I"), ("\u{410}BC234", "Latin keyboard")] {
                let answer = try await api.redeem(text, as: ben)
                #expect(answer.status == 404 && answer.code == "invite_not_found")
                #expect(answer.text.contains(hint))
            }
            #expect(try await api.redeem("ZZZZZZ", as: ben).status == 404)
            for text in ["ABC1O2", code] { #expect(try await api.redeem(text, as: ben).status == 429) }
        }
    }

    @Test("right codes, repeated codes and codes of full groups do not count as wrong")
    func rightIsFree() async throws {
        try await GroupsWorld.run {
            $0.rules.wrongCodesPerUser = 1
        } _: { world, api in
            let people = try await world.people(0..<13)
            let full = try await world.group(of: Array(people.prefix(12)))
            let group = try await world.group(of: [people[0]])
            let fullCode = try await world.invite(people[12].phone, to: full).rawValue
            let code = try await world.invite(people[12].phone, to: group).rawValue
            for _ in 0..<3 {
                #expect(try await api.redeem(fullCode, as: people[12]).code == "group_full")
                #expect(try await api.redeem(code, as: people[12]).status == 200)
            }
            #expect(try await api.redeem("ZZZZZZ", as: people[12]).status == 404)
            #expect(try await api.redeem(code, as: people[12]).status == 429)
        }
    }

    /// Guard: SMS, removals and wrong codes are limited (`InvitationService+Limits`, `GroupService`)
    @Test("wrong codes from one address are counted over all users, also when they come at once")
    func addressLimit() async throws {
        try await GroupsWorld.run {
            $0.rules.wrongCodesPerAddress = 12
        } _: { world, _ in
            let people = try await world.people(0..<30)
            let outcomes = try await atOnce(30) { index in
                do {
                    _ = try await world.invites.redeem("ZZZZZZ", by: people[index].id, from: "192.0.2.0/24")
                    return "joined"
                } catch GroupError.inviteNotFound {
                    return "wrong"
                } catch GroupError.tooManyWrongCodes {
                    return "limited"
                }
            }
            #expect(outcomes.filter { $0 == "wrong" }.count == 12)
            #expect(outcomes.filter { $0 == "limited" }.count == 18)
            let other = try await world.person(40)
            await #expect(throws: GroupError.inviteNotFound) {
                try await world.invites.redeem("ZZZZZZ", by: other.id, from: "198.51.100.0/24")
            }
        }
    }

    /// Guard: a right code is refused only for its owner's wrong codes (`InvitationService.redeem`)
    @Test("a right code is accepted however many wrong codes other users sent from the same address")
    func rightFromSpentAddress() async throws {
        try await GroupsWorld.run {
            $0.rules.wrongCodesPerAddress = 3
        } _: { world, _ in
            let people = try await world.people(0..<6)
            let group = try await world.group(of: [people[0]])
            let code = try await world.invite(people[1].phone, to: group).rawValue
            for person in people[2..<5] {
                await #expect(throws: GroupError.inviteNotFound) {
                    try await world.invites.redeem("ZZZZZZ", by: person.id, from: "192.0.2.0/24")
                }
            }
            await #expect(throws: GroupError.self, "the address has no wrong code left") {
                try await world.invites.redeem("ZZZZZZ", by: people[5].id, from: "192.0.2.0/24")
            }
            _ = try await world.invites.redeem(code, by: people[1].id, from: "192.0.2.0/24")
            #expect(try await world.memberCount(of: group) == 2)
        }
    }

    /// Guard: wrong codes count for their sender at every address (`InvitationService.countWrongCode`)
    @Test("wrong codes count for their sender also at an address that has none left")
    func wrongAtSpentAddress() async throws {
        try await GroupsWorld.run {
            $0.rules.wrongCodesPerAddress = 1
            $0.rules.wrongCodesPerUser = 2
        } _: { world, _ in
            let people = try await world.people(0..<3)
            let group = try await world.group(of: [people[0]])
            let code = try await world.invite(people[1].phone, to: group).rawValue
            for person in [people[2], people[1], people[1]] {
                await #expect(throws: GroupError.self) {
                    try await world.invites.redeem("ZZZZZZ", by: person.id, from: "192.0.2.0/24")
                }
            }
            await #expect(throws: GroupError.self) {
                try await world.invites.redeem(code, by: people[1].id, from: "192.0.2.0/24")
            }
        }
    }

    /// Guard: an invitation code is not given twice (`InvitationStore.insert`)
    /// Guard: a code is unique among those of its number (`invites_number_and_code`,
    /// `InvitationStore.insert`)
    @Test("two numbers may have the same code for their own groups, and one number never has a code twice")
    func sharedCode() async throws {
        try await GroupsWorld.run {
            let codes = Counter()
            $0.makeCode = { InvitationCode(rawValue: codes.increment() <= 3 ? "ABC234" : "DEF567") }
        } _: { world, api in
            let people = try await world.people(0..<3)
            let first = try await world.group("First", of: [people[0]])
            let second = try await world.group("Second", of: [people[0]])
            for (person, group) in [(people[1], first), (people[2], second), (people[1], second)] {
                let sent = try await api.send([person.phone], to: group, as: people[0])
                #expect(sent.status == 200, "\(sent.text)")
            }
            let codes = try await world.postgres.query("SELECT code FROM invites ORDER BY created_at, id")
            #expect(try codes.map { try $0.get("code") as String } == ["ABC234", "ABC234", "DEF567"])
            for (person, group) in [(people[1], first), (people[2], second)] {
                let joined = try await api.redeem("ABC234", as: person).decode(InviteRedeemed.self)
                #expect(joined.groupID.uuid == group.rawValue)
            }
        }
    }

    @Test("of fifty wrong codes at once by one user, ten are compared")
    func guessingAtOnce() async throws {
        try await GroupsWorld.run { world, api in
            let ben = try await world.person(1)
            let statuses = try await atOnce(50) { _ in try await api.redeem("ZZZZZZ", as: ben).status }
            #expect(statuses.filter { $0 == 404 }.count == 10)
            #expect(statuses.filter { $0 == 429 }.count == 40)
        }
    }

    @Test("without rate limits wrong codes are not counted")
    func unlimited() async throws {
        try await GroupsWorld.run {
            $0.ratesEnforced = false
        } _: { world, api in
            let ben = try await world.person(1)
            for _ in 0..<15 { #expect(try await api.redeem("ZZZZZZ", as: ben).status == 404) }
        }
    }
}

extension GroupsWorld {
    func openCount(of group: GroupID) async throws -> Int {
        try await count(
            """
            SELECT count(*) AS count FROM invites
            WHERE group_id = \(group) AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now()
            """)
    }
}
