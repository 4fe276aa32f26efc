/// Forgets invitations that were used, revoked or expired long ago: they hold phone numbers.
package struct GroupSweep: Sendable {
    let invites: InviteStore
    let rules: GroupRules
    let batchSize: Int

    package init(invites: InviteStore, rules: GroupRules = GroupRules(), batchSize: Int = 1_000) {
        self.invites = invites
        self.rules = rules
        self.batchSize = batchSize
    }

    /// Deletes all that are due, a batch at a time. Any number may run at once.
    /// - Returns: how many.
    @discardableResult
    package func runOnce() async throws -> Int {
        var total = 0
        while true {
            let deleted = try await invites.deleteFinished(
                retention: rules.inviteRetention, lifetime: rules.inviteLifetime, limit: batchSize)
            total += deleted
            guard deleted == batchSize, !Task.isCancelled else { return total }
        }
    }
}
