import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@Suite struct MuteTests {
    @Test("a group stays muted until the caller unmutes it, for this caller and this group alone")
    func forEver() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            let other = try await world.group(of: people)
            #expect(try await api.mute(group, #"{"muted": true}"#, as: people[0]).status == 204)
            #expect(try await api.isMuted(group, people[0]))
            #expect(try await api.isMuted(group, people[1]) == false)
            #expect(try await api.isMuted(other, people[0]) == false)
            #expect(
                try await world.count(
                    "SELECT count(*) AS count FROM group_members WHERE muted_until = 'infinity'") == 1)
            #expect(try await api.mute(group, #"{"muted": false}"#, as: people[0]).status == 204)
            #expect(try await api.isMuted(group, people[0]) == false)
        }
    }

    /// Guard: a mute must end in the future; an ended mute is off (`GroupStore.mute`, `.viewQuery`)
    @Test("the mute of a group ends at the time that the user gave, by PostgreSQL's clock")
    func until() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            let soon = ISO8601DateFormatter().string(from: Date().addingTimeInterval(3_600))
            #expect(
                try await api.mute(group, #"{"muted": true, "until": "\#(soon)"}"#, as: ana).status == 204)
            #expect(try await api.isMuted(group, ana))
            try await world.postgres.execute("UPDATE group_members SET muted_until = now()")
            #expect(try await api.isMuted(group, ana) == false)
            #expect(try await api.mute(group, #"{"muted": true, "until": null}"#, as: ana).status == 204)
            #expect(try await api.isMuted(group, ana))
        }
    }

    /// Guard: a mute must end in the future; an ended mute is off (`GroupStore.mute`, `.viewQuery`)
    @Test("a time in the past, and a text that is not a time, change nothing")
    func past() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            #expect(try await api.mute(group, #"{"muted": true}"#, as: ana).status == 204)
            let now = ISO8601DateFormatter().string(from: Date().addingTimeInterval(-1))
            for until in [now, "2001-01-01T00:00:00Z"] {
                let body = #"{"muted": true, "until": "\#(until)"}"#
                let refused = try await api.mute(group, body, as: ana)
                #expect(refused.code == "invalid_request" && refused.pointer == "/until")
            }
            for body in [
                #"{"muted": true, "until": "soon"}"#, #"{"muted": true, "until": "10000-01-01T00:00:00Z"}"#,
                #"{"muted": true, "until": "2127-02-30T00:00:00Z"}"#,
                #"{"muted": true, "until": 5}"#, #"{"muted": 1}"#, "{}",
            ] {
                #expect(try await api.mute(group, body, as: ana).code == "invalid_request")
            }
            #expect(try await api.isMuted(group, ana))
        }
    }

    /// Guard: muting as before writes nothing (`GroupStore.mute`)
    @Test("muting as before writes nothing")
    func unchanged() async throws {
        try await GroupsWorld.run { world, api in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            func version() async throws -> String? {
                try await world.postgres.first("SELECT xmin::text AS xmin FROM group_members")?.get("xmin")
            }
            let until = ISO8601DateFormatter().string(from: Date().addingTimeInterval(3_600))
            for body in [
                #"{"muted": false}"#, #"{"muted": true}"#, #"{"muted": true, "until": "\#(until)"}"#,
            ] {
                #expect(try await api.mute(group, body, as: ana).status == 204)
                let before = try await version()
                #expect(try await api.mute(group, body, as: ana).status == 204)
                #expect(try await version() == before, "\(body)")
            }
        }
    }

    @Test("muting ends with the membership")
    func rejoined() async throws {
        try await GroupsWorld.run { world, api in
            let people = try await world.people(0..<2)
            let group = try await world.group(of: people)
            #expect(try await api.mute(group, #"{"muted": true}"#, as: people[1]).status == 204)
            #expect(try await api.leave(group, as: people[1]).status == 204)
            #expect(try await api.mute(group, #"{"muted": true}"#, as: people[1]).code == "not_found")
            let code = try await world.invite(people[1].phone, to: group).rawValue
            #expect(try await api.redeem(code, as: people[1]).status == 200)
            #expect(try await api.isMuted(group, people[1]) == false)
        }
    }
}

extension API {
    fileprivate func mute(_ group: GroupID, _ body: String, as person: Person) async throws -> HTTPAnswer {
        try await call(.put, "groups/\(group.rawValue)/mute", as: person, body)
    }

    fileprivate func isMuted(_ group: GroupID, _ person: Person) async throws -> Bool {
        try await call(.get, "groups/\(group.rawValue)", as: person).decode(PhotoGroup.self).muted
    }
}
