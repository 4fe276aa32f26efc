import Auth
import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import Groups

/// One line has several numbers in address books. These are Argentina's, Mexico's and Benin's: how the service knows it, and as
/// others have it.
/// Guard: all forms of a line are one number (`NumberingPlanChange`, `PhoneNumberFacts`)
@Suite("One line, one person")
struct OneLineTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let number: String
        let other: String
        var testDescription: String { other }
    }

    static let lines = [
        Line(number: "+5491112345678", other: "+54 11 15-1234-5678"),
        Line(number: "+525512345678", other: "\u{202A}+52 1 55 1234 5678\u{202C}"),
        Line(number: "+5511987654321", other: "tel:+55-11-8765-4321"),
        Line(number: "+2290190123456", other: "+229 90 12 34 56"),
    ]

    @Test(
        "who is invited under one form redeems, and gets one message, under the living one", arguments: lines)
    func invited(line: Line) async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(number: try #require(PhoneNumber(rawValue: line.number)))
            let group = try await world.group(of: [ana])
            let sent = try await api.send([line.other, line.number, line.other], to: group, as: ana)
                .decode(InvitesSent.self).sent
            #expect(sent.map(\.phoneNumber) == [line.number])
            let again = try await api.send([line.number], to: group, as: ana).decode(InvitesSent.self).sent
            #expect(again.map(\.inviteID) == sent.map(\.inviteID))
            #expect(try await world.gateway.messages(to: line.number).count == 1)
            #expect(try await api.redeem(try #require(sent.first?.code), as: ben).status == 200)
            let member = try await api.send([line.other], to: group, as: ana).decode(InvitesSent.self).sent
            #expect(member.map(\.outcome) == [.alreadyMember])
        }
    }

    @Test("a look-up finds the line under each form once, and answers as it was asked", arguments: lines)
    func lookedUp(line: Line) async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(number: try #require(PhoneNumber(rawValue: line.number)))
            let found = try await api.check([line.other, line.number], as: ana).decode(
                ContactCheckResult.self)
            #expect(found.existing.map { Array($0.unicodeScalars) } == [Array(line.other.unicodeScalars)])
            let own = try await api.check([line.other], as: ben).decode(ContactCheckResult.self)
            #expect(own.existing.isEmpty && own.needsInvite.isEmpty && own.invalid.isEmpty)
        }
    }

    @Test("a block and a STOP hold under each form", arguments: lines)
    func refused(line: Line) async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let ben = try await world.person(number: try #require(PhoneNumber(rawValue: line.number)))
            _ = try await world.group(of: [ana, ben])
            #expect(try await api.block(ana, as: ben).status == 204)
            let group = try await world.group(of: [ana])
            let sent = try await api.send([line.other], to: group, as: ana).decode(InvitesSent.self).sent
            #expect(sent.map(\.outcome) == [.invited])
            #expect(try await api.redeem(try #require(sent.first?.code), as: ben).code == "invite_not_found")
            #expect(try await api.unblock(ana, as: ben).status == 204)

            let stopped = try #require(PhoneNumberParser().parse(line.other))
            #expect(try await world.optOuts.stop(stopped))
            #expect(try await world.optOuts.stop(ben.number) == false)
            let cleo = try await world.person(3)
            #expect(try await api.create(with: [line.other, GroupsWorld.number(50)], as: cleo).status == 201)
            _ = try await world.gateway.messages(to: GroupsWorld.number(50))
            #expect(world.gateway.messages.allSatisfy { $0.to != line.number })
        }
    }
}
