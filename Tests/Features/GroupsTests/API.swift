import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import HTTPTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting

/// The routes as a client sees them.
struct API: Sendable {
    private let clients: [any TestClientProtocol]
    private let turn = Counter()

    init(clients: [any TestClientProtocol]) {
        self.clients = clients
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: Person?, _ body: String? = nil
    ) async throws -> HTTPAnswer {
        let headers: HTTPFields = person.map { [.testCaller: $0.id.rawValue.uuidString] } ?? [:]
        return try await clients[turn.increment() % clients.count].call(
            method, "/v1/\(path)", body, headers: headers)
    }

    func send(_ numbers: [String], to group: GroupID, as person: Person) async throws -> HTTPAnswer {
        try await call(
            .post, "invites/send", as: person,
            #"{"group_id": "\#(group.rawValue)", "phone_numbers": \#(Self.list(numbers))}"#)
    }

    func openInvitations(of group: GroupID, as person: Person) async throws -> [GroupInvite] {
        try await call(.get, "groups/\(group.rawValue)/invites", as: person).decode(GroupInviteList.self)
            .invites
    }

    func create(
        _ name: String = "Family", with numbers: [String], as person: Person
    ) async throws -> HTTPAnswer {
        try await call(
            .post, "groups", as: person,
            #"{"name": "\#(name)", "member_phone_numbers": \#(Self.list(numbers))}"#)
    }

    func redeem(_ code: String, as person: Person) async throws -> HTTPAnswer {
        try await call(.post, "invites/redeem", as: person, #"{"code": "\#(code)"}"#)
    }

    func leave(_ group: GroupID, as person: Person) async throws -> HTTPAnswer {
        try await call(.delete, "groups/\(group.rawValue)", as: person)
    }

    func remove(
        _ member: Person, from group: GroupID, as person: Person
    ) async throws -> HTTPAnswer {
        try await call(.delete, "groups/\(group.rawValue)/members/\(member.id.rawValue)", as: person)
    }

    func block(_ other: Person, as person: Person) async throws -> HTTPAnswer {
        try await call(.post, "users/\(other.id.rawValue)/block", as: person)
    }

    func unblock(_ other: Person, as person: Person) async throws -> HTTPAnswer {
        try await call(.delete, "users/\(other.id.rawValue)/block", as: person)
    }

    func check(_ numbers: [String], as person: Person) async throws -> HTTPAnswer {
        try await call(
            .post, "invites/check-users", as: person, #"{"phone_numbers": \#(Self.list(numbers))}"#)
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}
