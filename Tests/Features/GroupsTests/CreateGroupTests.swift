import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct CreateGroupTests {
    @Test("the creator becomes the only member, and each number is invited and gets an SMS")
    func create() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1, name: "Ana")
            let answer = try await api.create(
                "  Family ", with: ["+1 (415) 555-0002", GroupsWorld.number(3)], as: ana)
            #expect(answer.status == 201)
            let created = try answer.decode(GroupCreated.self)
            #expect(created.group.name == "Family")
            #expect(created.group.members.map(\.id.uuid) == [ana.id.rawValue])
            #expect(created.invitations.map(\.phoneNumber) == [GroupsWorld.number(2), GroupsWorld.number(3)])
            #expect(created.invitations.allSatisfy { $0.outcome == .invited })
            let code = try #require(created.invitations[0].code)
            #expect(created.invitations[0].url == "https://dayly.test/i/\(code)")
            let message = try await world.gateway.messages(to: GroupsWorld.number(2))[0]
            #expect(
                message.body == """
                    Ana invited you to share daily photos with "Family" on Dayly.
                    Download: https://dayly.test/i/\(code)
                    Join with code: \(code)
                    """)
            _ = try await world.gateway.messages(to: GroupsWorld.number(3))
            let groups = try await api.call(.get, "groups", as: ana).decode(GroupList.self).groups
            #expect(groups.map(\.id) == [created.group.id])
        }
    }

    @Test("numbers count once, however they are written, and the caller's own is ignored")
    func duplicates() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let numbers = [ana.phone, GroupsWorld.number(2), "+1 415 555 0002", "+1-415-555-0002"]
            let created = try await api.create(with: numbers, as: ana).decode(GroupCreated.self)
            #expect(created.invitations.map(\.phoneNumber) == [GroupsWorld.number(2)])
        }
    }

    @Test("a new group needs at least one and at most eleven other numbers")
    func counts() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(0)
            for numbers in [[], [ana.phone], (1...12).map(GroupsWorld.number)] {
                let refused = try await api.create(with: numbers, as: ana)
                #expect(refused.status == 400)
                #expect(refused.code == "invalid_request")
                #expect(refused.pointer == "/member_phone_numbers")
            }
            #expect(try await world.groupCount(of: ana) == 0)
            let most = (0...11).map(GroupsWorld.number) + [GroupsWorld.number(1)]
            let created = try await api.create(with: most, as: ana).decode(GroupCreated.self)
            #expect(created.invitations.count == 11)
        }
    }

    @Test("a wrong number or name is refused with a pointer, and no group is made")
    func invalid() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            for number in ["", "4155550002", "+0123456789", "+1415", "hello", "+141555500021234567"] {
                let refused = try await api.create(with: [GroupsWorld.number(2), number], as: ana)
                #expect(refused.code == "invalid_request")
                #expect(refused.pointer == "/member_phone_numbers/1")
            }
            #expect(try await api.create(" ", with: [GroupsWorld.number(2)], as: ana).pointer == "/name")
            #expect(try await world.count("SELECT count(*) AS count FROM groups") == 0)
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 0)
        }
    }

    /// Guard: twelve members, five groups, 24 open invitations (`GroupSettings`)
    @Test("a sixth group is refused, and there is room again after leaving one")
    func limit() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            for _ in 0..<4 { _ = try await world.group(of: [ana]) }
            let created = try await api.create(with: [GroupsWorld.number(2)], as: ana)
            #expect(created.status == 201)
            let refused = try await api.create(with: [GroupsWorld.number(2)], as: ana)
            #expect(refused.status == 409)
            #expect(refused.code == "group_limit_reached")
            let group = GroupID(rawValue: try created.decode(GroupCreated.self).group.id.uuid)
            #expect(try await api.leave(group, as: ana).status == 204)
            #expect(try await api.create(with: [GroupsWorld.number(2)], as: ana).status == 201)
        }
    }

    @Test("a group is created even when the day's SMS are used up; only the SMS are left out")
    func senderQuota() async throws {
        try await GroupsWorld.run {
            $0.rules.messagesPerSenderAndDay = 2
        } _: { world, api in
            let ana = try await world.person(0)
            let created = try await api.create(with: (1...4).map(GroupsWorld.number), as: ana)
            #expect(created.status == 201)
            #expect(try created.decode(GroupCreated.self).invitations.allSatisfy { $0.outcome == .invited })
            _ = try await world.gateway.messages(to: GroupsWorld.number(1))
            _ = try await world.gateway.messages(to: GroupsWorld.number(2))
            #expect(try await api.create(with: [GroupsWorld.number(9)], as: ana).status == 201)
            try await Task.sleep(for: .milliseconds(50))
            #expect(world.gateway.messages.count == 2)
        }
    }

    /// Guard: a code is unique among those of its number (`invites_number_and_code`,
    /// `InvitationStore.insert`)
    @Test(
        "a code that the number has already is drawn again, and a generator that only repeats itself is an error"
    )
    func codeCollision() async throws {
        let drawn = Counter()
        try await GroupsWorld.run {
            $0.makeCode = { InvitationCode(rawValue: drawn.increment() <= 5 ? "ABC234" : "XYZ789") }
        } _: { world, api in
            let ana = try await world.person(1)
            for code in ["ABC234", "XYZ789"] {
                let sent = try await api.send([GroupsWorld.number(2)], to: world.group(of: [ana]), as: ana)
                #expect(try sent.decode(InvitesSent.self).sent.map(\.code) == [code])
            }
            let failed = try await api.send([GroupsWorld.number(2)], to: world.group(of: [ana]), as: ana)
            #expect(failed.status == 500)
            #expect(try await world.count("SELECT count(*) AS count FROM invites") == 2)
        }
    }
}
