import Foundation

/// A credential that expires. It is made at first use, shared by all callers, and renewed before it expires or at once
/// after a refusal. Callers at the same time share one renewal.
actor RenewableToken {
    struct Issued: Sendable {
        let text: String
        /// The time from which a new token replaces this one.
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

    /// A token other than the refused one. When many callers were refused with the same token, only the first of them
    /// makes a new one.
    func value(insteadOf refused: String) async throws -> String {
        if latest?.text == refused { latest = nil }
        return try await value()
    }
}
