/// Forgets invitations that were used, revoked or expired long ago, because they hold phone numbers; what happened in
/// groups some days ago; and who left a group long ago.
package struct GroupSweep: Sendable {
    let groups: GroupStore
    let invites: InvitationStore
    let rules: GroupSettings
    let batchSize: Int

    package init(
        groups: GroupStore, invites: InvitationStore, rules: GroupSettings = GroupSettings(), batchSize: Int = 1_000
    ) {
        self.groups = groups
        self.invites = invites
        self.rules = rules
        self.batchSize = batchSize
    }

    package struct Report: Sendable, Equatable {
        package let invites: Int
        /// Partitions of the log that were emptied.
        package var partitions = 0
        /// Events that were deleted one by one.
        package let events: Int
        package var formerMembers = 0

        package init(invites: Int, partitions: Int = 0, events: Int, formerMembers: Int = 0) {
            self.invites = invites
            self.partitions = partitions
            self.events = events
            self.formerMembers = formerMembers
        }
    }

    /// Deletes all that are due, a batch at a time. Any number may run at once.
    @discardableResult
    package func runOnce() async throws -> Report {
        _ = try await inBatches { try await ContactStore.deleteEnded(groups.postgres, limit: batchSize) }
        return Report(
            invites: try await inBatches {
                try await invites.deleteFinished(
                    retention: rules.inviteRetention, lifetime: rules.inviteLifetime, limit: batchSize)
            },
            partitions: try await groups.emptyOldPartitions(retention: rules.eventRetention),
            events: try await inBatches {
                try await groups.deleteOldEvents(retention: rules.eventRetention, limit: batchSize)
            },
            formerMembers: try await inBatches {
                try await groups.deleteFormerMembers(memory: rules.memoryOfMembers, limit: batchSize)
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
