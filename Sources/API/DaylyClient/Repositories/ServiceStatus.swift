import DaylyAPI
import Foundation

/// The service itself. These calls need no session.
public struct ServiceStatus: Sendable {
    let calls: ServiceCalls

    /// Whether a process answers.
    public func isAlive() async throws(DaylyError) -> Bool {
        try await health(.getLiveness) == "ok"
    }

    /// Whether the service can work: its database, its schema and its bucket.
    public func isReady() async throws(DaylyError) -> Bool {
        do {
            return try await health(.getReadiness) == "ready"
        } catch {
            if case .problem(let problem) = error, problem.status == 503 { return false }
            throw error
        }
    }

    private func health(_ operation: Operation) async throws(DaylyError) -> String {
        let health: ServiceHealth = try ClientJSON.decode(from: try await calls.sendOpenly(operation))
        return health.status
    }

    /// The OpenAPI description of this version of the service.
    public func description() async throws(DaylyError) -> String {
        String(decoding: try await calls.sendOpenly(.getDescription).body, as: UTF8.self)
    }
}

/// The answer of `GET /healthz` and `GET /readyz`.
package struct ServiceHealth: Codable, Sendable {
    package var status: String

    package init(status: String) {
        self.status = status
    }
}
