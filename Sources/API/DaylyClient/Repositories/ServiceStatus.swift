import DaylyAPI
import Foundation

/// The service itself. These calls need no session.
public struct ServiceStatus: Sendable {
    let calls: ServiceCalls

    /// Whether a process answers.
    public func isAlive() async throws(DaylyError) -> Bool {
        try await calls.sendOpenly(.getLiveness).status == 200
    }

    /// Whether the service can work: its database, its schema and its bucket.
    public func isReady() async throws(DaylyError) -> Bool {
        do {
            return try await calls.sendOpenly(.getReadiness).status == 200
        } catch {
            switch error {
            case .unexpectedAnswer(status: 503): return false
            case .problem(let problem) where problem.status == 503: return false
            default: throw error
            }
        }
    }

    /// The OpenAPI description of this version of the service.
    public func description() async throws(DaylyError) -> String {
        String(decoding: try await calls.sendOpenly(.getDescription).body, as: UTF8.self)
    }
}
