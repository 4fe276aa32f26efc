import DaylyAPI
import DaylyTesting
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct ContactCheckTests {
    @Test(
        "a contact check lists users and non-users once each, as spelled and in the order asked, without the caller"
    )
    func check() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let spelled = "+1 (415) 555-0002"
            let answer = try await api.check(
                [
                    GroupsWorld.number(8), spelled, people[0].phone, people[1].phone, people[2].phone,
                    GroupsWorld.number(7),
                ],
                as: people[0])
            #expect(answer.status == 200)
            let result = try answer.decode(ContactCheckResult.self)
            #expect(result.existing == [spelled, people[1].phone])
            #expect(result.needsInvite == [GroupsWorld.number(8), GroupsWorld.number(7)])
            #expect(
                try await api.check([], as: people[0]).text
                    == #"{"existing":[],"invalid":[],"needs_invite":[]}"#)
        }
    }

    /// Guard: hidden and blocked people are not found (`InvitationStore.discoverable`)
    @Test(
        "users who do not want to be found, or have a block with the caller, look like people without an account"
    )
    func hidden() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<5)
            _ = try await world.group(of: people)
            try await world.postgres.execute(
                "UPDATE users SET discoverable = false WHERE id = \(people[1].id)")
            #expect(try await api.block(people[2], as: people[0]).status == 204)
            #expect(try await api.block(people[0], as: people[3]).status == 204)
            let asked = people.dropFirst().map(\.phone) + [GroupsWorld.number(9)]
            let result = try await api.check(asked, as: people[0]).decode(ContactCheckResult.self)
            #expect(result.existing == [people[4].phone])
            #expect(result.needsInvite == [1, 2, 3].map { people[$0].phone } + [GroupsWorld.number(9)])
        }
    }

    /// Guard: a list of thousands of numbers is refused unread (`PhoneNumberParser.numbers`, `AskedNumbers`)
    @Test(
        "a list that is far too long is refused before its numbers are read, since a number may stand in it twice"
    )
    func longList() async throws {
        try await GroupsWorld.run { world, api in
            let person = try await world.people(0..<1)[0]
            let number = GroupsWorld.number(8)
            let longest = Array(repeating: number, count: 200)
            #expect(try await api.check(longest, as: person).status == 200)
            #expect(try await api.check(longest + [number], as: person).code == "invalid_request")
        }
    }

    /// Guard: text that is not a number does not stop the other look-ups (`AskedNumbers`)
    @Test("a text that is not a number is reported once beside the other results, and costs no quota")
    func invalid() async throws {
        try await GroupsWorld.run {
            $0.rules.checksPerUserAndDay = 2
        } _: { world, api in
            let people = try await world.people(0..<2)
            let asked = ["4155550001", people[1].phone, "+1 900", GroupsWorld.number(8), "4155550001", ""]
            let result = try await api.check(asked, as: people[0]).decode(ContactCheckResult.self)
            #expect(result.existing == [people[1].phone])
            #expect(result.needsInvite == [GroupsWorld.number(8)])
            #expect(result.invalid == ["4155550001", "+1 900", ""])
            #expect(try await api.check(["call me"], as: people[0]).status == 200)
        }
    }

    /// Guard: a number counts once a day among those looked up (`InvitationService.count`)
    @Test("a number that was asked about before costs nothing on the same day, and costs again a day later")
    func askedAgain() async throws {
        try await GroupsWorld.run {
            $0.rules.checksPerUserAndDay = 5
        } _: { world, api in
            let (ana, ben) = (try await world.person(0), try await world.person(1))
            for _ in 0..<3 {
                #expect(try await api.check((1...5).map(GroupsWorld.number), as: ana).status == 200)
                #expect(try await api.check((3...4).map(GroupsWorld.number), as: ana).status == 200)
            }
            #expect(try await api.check([GroupsWorld.number(6)], as: ana).status == 429)
            #expect(try await api.check((5...6).map(GroupsWorld.number), as: ana).status == 429)
            #expect(try await api.check((1...5).map(GroupsWorld.number), as: ana).status == 200)
            #expect(try await api.check((6...10).map(GroupsWorld.number), as: ben).status == 200)
            let tags = try await world.postgres.query("SELECT DISTINCT asked FROM contact_checks")
            #expect(tags.count == 2)
            try await world.postgres.execute("UPDATE contact_checks SET ends_at = now()")
            #expect(try await api.check([GroupsWorld.number(1)], as: ana).status == 429, "the quota is spent")
            try await world.postgres.execute("UPDATE rate_counters SET window_ends_at = now()")
            #expect(try await api.check((4...8).map(GroupsWorld.number), as: ana).status == 200)
            #expect(try await api.check([GroupsWorld.number(1)], as: ana).status == 429)
            try await world.postgres.execute("UPDATE contact_checks SET ends_at = now()")
            try await world.sweep().runOnce()
            #expect(try await world.count("SELECT count(*) AS count FROM contact_checks") == 0)
        }
    }

    @Test("a call may ask about fifty different texts at most")
    func size() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            let fifty = (1...50).map(GroupsWorld.number)
            #expect(try await api.check(fifty + fifty + [ana.phone], as: ana).status == 200)
            let refused = try await api.check(fifty + [GroupsWorld.number(51)], as: ana)
            #expect(refused.code == "invalid_request" && refused.pointer == "/phone_numbers")
            let wrong = try await api.check(fifty + ["4155550001"], as: ana)
            #expect(wrong.code == "invalid_request" && wrong.pointer == "/phone_numbers")
            #expect(try await api.call(.post, "invites/check-users", as: ana, "{}").code == "invalid_request")
        }
    }

    /// Guard: looked-up numbers are counted all or not at all (`InvitationService.check`,
    /// `RateLimits.take(amount:)`)
    @Test(
        "a user may ask about five hundred numbers a day, also with calls at once; each call counts whole or is refused"
    )
    func quota() async throws {
        try await GroupsWorld.run({ $0.instances = 2 }) { world, api in
            let ana = try await world.person(0)
            let ben = try await world.person(1)
            let answers = try await atOnce(20) { index in
                try await api.check((100..<140).map { GroupsWorld.number($0 + 40 * index) }, as: ana)
            }
            #expect(answers.filter { $0.status == 200 }.count == 12)
            #expect(answers.filter { $0.code == "rate_limited" }.count == 8)
            let refused = try await api.check((1000..<1021).map(GroupsWorld.number), as: ana)
            #expect(refused.status == 429)
            let wait = try #require(refused.retryAfter)
            #expect((1...86_400).contains(wait))
            #expect(try await api.check((1000..<1020).map(GroupsWorld.number), as: ana).status == 200)
            #expect(try await api.check([GroupsWorld.number(5)], as: ana).status == 429)
            #expect(try await api.check([GroupsWorld.number(5)], as: ben).status == 200)
        }
    }
}
