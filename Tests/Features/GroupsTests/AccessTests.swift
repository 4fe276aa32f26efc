import Auth
import DaylyTesting
import Foundation
@testable import Groups
import HTTPKit
import HTTPTypes
import Hummingbird
import Postgres
import Testing

/// An outsider gets the same 404 from every route of a group, as if it did not exist.
@Suite struct AccessTests {
    struct Call: Sendable {
        let method: HTTPRequest.Method
        let template: String
        var body: String?
    }

    /// Every route that names a group, a member or an invitation.
    static let calls: [Call] = [
        Call(method: .get, template: "groups/{group}"),
        Call(method: .put, template: "groups/{group}", body: #"{"name": "Mine now"}"#),
        Call(method: .delete, template: "groups/{group}"),
        Call(method: .delete, template: "groups/{group}/members/{member}"),
        Call(method: .put, template: "groups/{group}/mute", body: #"{"muted": true}"#),
        Call(method: .get, template: "groups/{group}/invites"),
        Call(
            method: .post, template: "invites/send",
            body: #"{"group_id": "{group}", "phone_numbers": ["+14155559999"]}"#),
        Call(method: .delete, template: "invites/{invite}"),
    ]

    enum Outsider: String, CaseIterable, Sendable {
        case nonMember, removedMember, memberWhoLeft, anotherGroupsMember, ofDeletedGroup, malformedID
    }

    @Test("every route answers every outsider with the same 404", arguments: Outsider.allCases)
    func matrix(outsider: Outsider) async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let target = try await Target(outsider, people, world, api)
            let before = try await world.snapshot()
            for call in Self.calls {
                let path = target.fill(call.template)
                let answer = try await api.call(
                    call.method, path, as: target.caller, call.body.map(target.fill))
                #expect(answer.status == 404, "\(call.method) \(path)")
                #expect(answer.code == "not_found", "\(call.method) \(path)")
                #expect(answer.text.contains("Family") == false)
            }
            #expect(try await world.snapshot() == before)
        }
    }

    /// Guard: a former member cannot hold a lock of the group (`GroupStore.requireLocked`)
    @Test("a former member takes no lock of the group, whichever route they call")
    func noLock() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<3)
            let target = try await Target(.memberWhoLeft, people, world, api)
            // These are the transactions that last changed or locked the rows.
            func lockers() async throws -> [String] {
                try await world.postgres.query(
                    "SELECT id::text || ' ' || xmax::text AS locker FROM groups ORDER BY 1"
                )
                .map { try $0.get("locker") }
            }
            let before = try await lockers()
            for call in Self.calls {
                let path = target.fill(call.template)
                let answer = try await api.call(
                    call.method, path, as: target.caller, call.body.map(target.fill))
                #expect(answer.status == 404)
            }
            #expect(try await lockers() == before)
        }
    }

    @Test("the matrix covers every route that names a group, a member or an invitation")
    func complete() async throws {
        try await GroupsWorld.run { world, _ in
            let covered = Set(Self.calls.map { "\($0.method) \($0.template.filter { $0 != "/" }.count)" })
            let open: Set<String> = [
                "GET groups", "POST groups", "GET invites", "POST invites/redeem", "POST invites/check-users",
            ]
            let routes = world.feature.routes.filter { !$0.path.hasPrefix("users/") }
                .map { "\($0.method) \($0.path)" }
            #expect(routes.filter { !open.contains($0) }.count == Self.calls.count, "\(routes) \(covered)")
        }
    }

    @Test("a removed member finds the group in none of their lists, and their old code is unknown")
    func removedMembersLists() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: [people[0]])
            let code = try await world.invite(people[1].phone, to: group).rawValue
            #expect(try await api.redeem(code, as: people[1]).status == 200)
            #expect(try await api.remove(people[1], from: group, as: people[0]).status == 204)
            #expect(try await api.call(.get, "groups", as: people[1]).text == #"{"groups":[]}"#)
            #expect(try await api.call(.get, "invites", as: people[1]).text == #"{"invites":[]}"#)
            #expect(try await api.redeem(code, as: people[1]).code == "invite_not_found")
        }
    }

    /// Calls of an outsider.
    private struct Target: Sendable {
        let caller: Person
        let group: String
        let member: String
        let invite: String

        init(
            _ outsider: Outsider, _ people: [Person], _ world: GroupsWorld, _ api: API
        ) async throws {
            let id = try await world.group(of: [people[0], people[1]])
            let code = try await world.invite(GroupsWorld.number(500), to: id)
            let row = try await world.postgres.first("SELECT id FROM invites WHERE code = \(code)")
            let inviteID = try #require(row).get("id", as: UUID.self).uuidString
            member = people[0].id.rawValue.uuidString
            switch outsider {
            case .nonMember:
                caller = people[2]
            case .removedMember:
                caller = people[1]
                #expect(try await api.remove(people[1], from: id, as: people[0]).status == 204)
            case .memberWhoLeft:
                caller = people[1]
                #expect(try await api.leave(id, as: people[1]).status == 204)
            case .anotherGroupsMember:
                caller = people[2]
                _ = try await world.group("Other", of: [people[2], people[0]])
            case .ofDeletedGroup:
                caller = people[1]
                #expect(try await api.leave(id, as: people[0]).status == 204)
                #expect(try await api.leave(id, as: people[1]).status == 204)
            case .malformedID:
                caller = people[1]
            }
            let isMalformed = outsider == .malformedID
            group = isMalformed ? String(id.rawValue.uuidString.dropLast()) + "g" : id.rawValue.uuidString
            invite = isMalformed ? "not-an-id" : inviteID
        }

        func fill(_ template: String) -> String {
            template.replacing("{group}", with: group).replacing("{member}", with: member)
                .replacing("{invite}", with: invite)
        }
    }
}

extension GroupsWorld {
    /// Everything that the calls could have changed.
    fileprivate func snapshot() async throws -> [String] {
        var rows: [String] = []
        for table in ["groups", "group_members", "invites"] {
            rows += try await postgres.query(
                SQL(unchecked: "SELECT t::text AS text FROM \(table) t ORDER BY 1")
            ).map { try $0.get("text") }
        }
        return rows
    }
}
