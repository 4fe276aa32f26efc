import DaylyAPI
import FeatureKit
import Foundation
@testable import Groups
import HTTPKit
import HTTPTypes
import Hummingbird
import HummingbirdTesting

/// The routes as a client sees them.
struct API: Sendable {
    private let clients: [any TestClientProtocol]
    private let turn = Counting()

    init(clients: [any TestClientProtocol]) {
        self.clients = clients
    }

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let body: ByteBuffer

        /// The problem's code; nil where the answer is none.
        var code: String? { member("code") as? String }

        /// The first pointer of a validation error.
        var pointer: String? {
            (member("errors") as? [[String: Any]])?.first?["pointer"] as? String
        }

        var retryAfter: Int? { headers[.retryAfter].flatMap { Int($0) } }

        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try WireJSON.makeDecoder().decode(Value.self, from: Data(body.readableBytesView))
        }

        var text: String { String(buffer: body) }

        private func member(_ name: String) -> Any? {
            let json = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))
            return (json as? [String: Any])?[name]
        }
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: World.Person?, _ body: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if let person { headers[.testUser] = person.id.rawValue.uuidString }
        if body != nil { headers[.contentType] = "application/json" }
        return try await clients[turn.next() % clients.count].execute(
            uri: "/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { response in
            Answer(status: response.status.code, headers: response.headers, body: response.body)
        }
    }

    func send(_ numbers: [String], to group: GroupID, as person: World.Person) async throws -> Answer {
        try await call(
            .post, "invites/send", as: person,
            #"{"group_id": "\#(group.rawValue)", "phone_numbers": \#(Self.list(numbers))}"#)
    }

    func create(
        _ name: String = "Family", with numbers: [String], as person: World.Person
    ) async throws -> Answer {
        try await call(
            .post, "groups", as: person,
            #"{"name": "\#(name)", "member_phone_numbers": \#(Self.list(numbers))}"#)
    }

    func redeem(_ code: String, as person: World.Person) async throws -> Answer {
        try await call(.post, "invites/redeem", as: person, #"{"code": "\#(code)"}"#)
    }

    func leave(_ group: GroupID, as person: World.Person) async throws -> Answer {
        try await call(.delete, "groups/\(group.rawValue)", as: person)
    }

    func remove(
        _ member: World.Person, from group: GroupID, as person: World.Person
    ) async throws -> Answer {
        try await call(.delete, "groups/\(group.rawValue)/members/\(member.id.rawValue)", as: person)
    }

    func block(_ other: World.Person, as person: World.Person) async throws -> Answer {
        try await call(.post, "users/\(other.id.rawValue)/block", as: person)
    }

    func unblock(_ other: World.Person, as person: World.Person) async throws -> Answer {
        try await call(.delete, "users/\(other.id.rawValue)/block", as: person)
    }

    func check(_ numbers: [String], as person: World.Person) async throws -> Answer {
        try await call(
            .post, "invites/check-users", as: person, #"{"phone_numbers": \#(Self.list(numbers))}"#)
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}

/// Runs all of them at once and gives their results in order.
func atOnce<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        for index in 0..<count { group.addTask { (index, try await body(index)) } }
        var results: [(Int, Result)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
