import Foundation

/// A credential that is good for a while: made when it is first needed, shared by everybody, renewed before its end,
/// and at once when it was refused. However many ask, one is made at a time.
actor RenewableToken {
    struct Issued: Sendable {
        let text: String
        /// From then on another one is given out.
        let renewAt: Date
    }

    private let issue: @Sendable () async throws -> Issued
    private let now: @Sendable () -> Date
    private var latest: Issued?
    private var pending: Task<Issued, any Error>?

    init(now: @escaping @Sendable () -> Date, issue: @escaping @Sendable () async throws -> Issued) {
        self.now = now
        self.issue = issue
    }

    func value() async throws -> String {
        if let latest, now() < latest.renewAt { return latest.text }
        if let pending { return try await pending.value.text }
        let task = Task { [issue] in try await issue() }
        pending = task
        defer { pending = nil }
        let issued = try await task.value
        latest = issued
        return issued.text
    }

    /// Another one than the one that was refused: of many who were refused with the same one, the first has a new one
    /// made.
    func value(insteadOf refused: String) async throws -> String {
        if latest?.text == refused { latest = nil }
        return try await value()
    }
}
