import DaylyAPI
import Foundation
import Groups
import Postgres
import Testing

@Suite struct ContactCheckTests {
    @Test("who is here and who needs an invitation: as asked, in that order, each once, the caller left out")
    func check() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<3)
            let spelled = "+1 (415) 555-0002"
            let answer = try await api.check(
                [
                    World.number(8), spelled, people[0].number, people[1].number, people[2].number,
                    World.number(7),
                ],
                as: people[0])
            #expect(answer.status == 200)
            let result = try answer.decode(ContactCheckResult.self)
            #expect(result.existing == [spelled, people[1].number])
            #expect(result.needsInvite == [World.number(8), World.number(7)])
            #expect(try await api.check([], as: people[0]).text == #"{"existing":[],"needs_invite":[]}"#)
        }
    }

    @Test("who does not want to be found, and who has a block with the caller, is like nobody")
    func hidden() async throws {
        try await World.run { world, api in
            let people = try await world.people(0..<5)
            _ = try await world.group(of: people)
            try await world.postgres.execute(
                "UPDATE users SET discoverable = false WHERE id = \(people[1].id)")
            #expect(try await api.block(people[2], as: people[0]).status == 204)
            #expect(try await api.block(people[0], as: people[3]).status == 204)
            let asked = people.dropFirst().map(\.number) + [World.number(9)]
            let result = try await api.check(asked, as: people[0]).decode(ContactCheckResult.self)
            #expect(result.existing == [people[4].number])
            #expect(result.needsInvite == [1, 2, 3].map { people[$0].number } + [World.number(9)])
        }
    }

    @Test("fifty different numbers a call; what is no number is pointed at")
    func size() async throws {
        try await World.run { world, api in
            let ana = try await world.person(0)
            let fifty = (1...50).map(World.number)
            #expect(try await api.check(fifty + fifty + [ana.number], as: ana).status == 200)
            let refused = try await api.check(fifty + [World.number(51)], as: ana)
            #expect(refused.code == "invalid_request" && refused.pointer == "/phone_numbers")
            let wrong = try await api.check([World.number(1), "4155550001"], as: ana)
            #expect(wrong.code == "invalid_request" && wrong.pointer == "/phone_numbers/1")
            #expect(try await api.call(.post, "invites/check-users", as: ana, "{}").code == "invalid_request")
        }
    }

    @Test("five hundred numbers a user and day, all of a call or none; at once too")
    func quota() async throws {
        try await World.run({ $0.instances = 2 }) { world, api in
            let ana = try await world.person(0)
            let ben = try await world.person(1)
            let answers = try await atOnce(20) { index in
                try await api.check((100..<140).map { World.number($0 + index) }, as: ana)
            }
            #expect(answers.filter { $0.status == 200 }.count == 12)
            #expect(answers.filter { $0.code == "rate_limited" }.count == 8)
            let refused = try await api.check((100..<121).map(World.number), as: ana)
            #expect(refused.status == 429)
            let wait = try #require(refused.retryAfter)
            #expect((1...86_400).contains(wait))
            #expect(try await api.check((100..<120).map(World.number), as: ana).status == 200)
            #expect(try await api.check([World.number(5)], as: ana).status == 429)
            #expect(try await api.check([World.number(5)], as: ben).status == 200)
        }
    }
}
