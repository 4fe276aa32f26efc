import DaylyAPI
import DaylyClient
import DaylyClientTesting
import DaylyTesting
import Foundation

/// An answer that a network gives in the service's place.
package struct ForeignAnswer: Decodable, Sendable, CustomStringConvertible {
    package let status: Int
    let contentType: String?
    let retryAfter: String?
    let body: String
    let from: String

    package var description: String { "\(status), \(from)" }

    package var answer: StubAnswer {
        var head = TransportHead(status: status)
        head.headers["Content-Type"] = contentType
        head.headers["Retry-After"] = retryAfter
        return StubAnswer(head, body: Data(body.utf8))
    }

    package static func all() -> [ForeignAnswer] {
        (try? outsideCases("answers-sdk.json")) ?? []
    }

    /// Makes each call at a network that answers in the service's place.
    ///
    /// - Returns: the calls that took the answer for the service's, or ended the session.
    package func faults(of operations: [DaylyClient.Operation]) async throws -> [String] {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? answer : .json(TokenResponse.numbered(1))
        }
        let calls = client.dayly.calls
        var faults: [String] = []
        for operation in operations where operation != .refresh && operation != .streamEvents {
            let parameters = operation.path.components(separatedBy: "{}").count - 1
            let request = try calls.requests.request(
                operation, path: Array(repeating: ResourceID.numbered(1).description, count: parameters))
            let isForeign: Bool
            do {
                let response = try await calls.authorized.send(request, isIdempotent: false)
                // A JSON of another shape shows itself when it is decoded.
                isForeign = operation.mediaType == "application/json" && response.status == 200
            } catch {
                isForeign = error == .unexpectedAnswer(status: status)
            }
            if !isForeign { faults.append(operation.name) }
        }
        return client.store.session == nil ? faults + ["the session"] : faults
    }
}
