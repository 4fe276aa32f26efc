import Auth
import DaylyAPI
import DaylyTesting
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct OptOutTests {
    /// Guard: no SMS is sent against a block or a STOP (`InvitationService.decide`)
    @Test(
        "a number that opted out is invited without any SMS until it opts in again"
    )
    func stop() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let number = try #require(PhoneNumber(rawValue: GroupsWorld.number(50)))
            #expect(try await world.optOuts.stop(number))
            #expect(try await world.optOuts.stop(number) == false)
            for person in people.prefix(2) {
                let answer = try await api.create(
                    with: [number.rawValue, GroupsWorld.number(51)], as: person)
                let invitations = try answer.decode(GroupCreated.self).invitations
                #expect(invitations.map(\.outcome) == [.invited, .invited])
                #expect(invitations[0].code?.count == 6)
            }
            _ = try await world.gateway.messages(to: GroupsWorld.number(51), count: 2)
            #expect(world.gateway.messages.allSatisfy { $0.to != number.rawValue })
            // An SMS that was not sent does not count against the recipient.
            #expect(try await world.optOuts.allow(number))
            #expect(try await world.optOuts.allow(number) == false)
            for person in people { _ = try await api.create(with: [number.rawValue], as: person) }
            _ = try await world.gateway.messages(to: number.rawValue, count: 3)
        }
    }

    @Test("the list of opt-outs holds no number, and another secret makes another hash")
    func hash() async throws {
        try await GroupsWorld.run { world, _ in
            let number = try #require(PhoneNumber(rawValue: GroupsWorld.number(50)))
            try await world.optOuts.stop(number)
            let other = OptOutStore(
                postgres: world.postgres, hashes: NumberHashes(secret: Fixtures.otherSecret))
            #expect(try await other.stop(number))
            let rows = try await world.postgres.query(
                "SELECT encode(number_hmac, 'hex') AS hex, encode(number_hmac, 'escape') AS text FROM sms_opt_outs"
            )
            #expect(rows.count == 2)
            for row in rows {
                #expect(try row.get("hex", as: String.self).count == 64)
                #expect(try row.get("text", as: String.self).contains("555") == false)
            }
        }
    }
}
