/// Forgets invitations that were used, revoked or expired long ago, for they hold phone numbers, and what happened in
/// groups long ago.
package struct GroupSweep: Sendable {
    let groups: GroupStore
    let invites: InviteStore
    let rules: GroupRules
    let batchSize: Int

    package init(
        groups: GroupStore, invites: InviteStore, rules: GroupRules = GroupRules(), batchSize: Int = 1_000
    ) {
        self.groups = groups
        self.invites = invites
        self.rules = rules
        self.batchSize = batchSize
    }

    package struct Report: Sendable, Equatable {
        package let invites: Int
        package let events: Int

        package init(invites: Int, events: Int) {
            self.invites = invites
            self.events = events
        }
    }

    /// Deletes all that are due, a batch at a time. Any number may run at once.
    @discardableResult
    package func runOnce() async throws -> Report {
        Report(
            invites: try await inBatches {
                try await invites.deleteFinished(
                    retention: rules.inviteRetention, lifetime: rules.inviteLifetime, limit: batchSize)
            },
            events: try await inBatches {
                try await groups.deleteOldEvents(retention: rules.eventRetention, limit: batchSize)
            })
    }

    private func inBatches(_ delete: () async throws -> Int) async throws -> Int {
        var total = 0
        while true {
            let deleted = try await delete()
            total += deleted
            guard deleted == batchSize, !Task.isCancelled else { return total }
        }
    }
}
