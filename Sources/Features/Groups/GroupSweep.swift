import Jobs
import Postgres

/// Deletes invitations that were used, revoked or expired long ago, because they contain phone numbers. Deletes old events
/// and records of former members too.
struct GroupSweep: Sendable {
    let groups: GroupStore
    let invitations: InvitationStore
    let contacts: ContactStore
    let rules: GroupSettings
    let batchSize: Int

    init(
        postgres: PostgresClient, hashes: NumberHashes, rules: GroupSettings = GroupSettings(),
        batchSize: Int = 1_000
    ) {
        groups = GroupStore(postgres: postgres)
        invitations = InvitationStore(
            postgres: postgres, blocks: BlockStore(postgres: postgres, hashes: hashes))
        contacts = ContactStore(postgres: postgres)
        self.rules = rules
        self.batchSize = batchSize
    }

    /// The number of deleted rows of each kind.
    struct Report: Sendable, Equatable {
        let invitations: Int
        /// The number of emptied partitions of the log.
        var partitions = 0
        /// The number of events that were deleted one by one.
        let events: Int
        var formerMembers = 0

        init(invitations: Int, partitions: Int = 0, events: Int, formerMembers: Int = 0) {
            self.invitations = invitations
            self.partitions = partitions
            self.events = events
            self.formerMembers = formerMembers
        }
    }

    /// Deletes all due rows in batches. Any number of processes may run it at the same time.
    @discardableResult
    func runOnce() async throws -> Report {
        var done = Parts()
        _ = await done.run(or: 0) { try await contacts.deleteEnded(batch: batchSize) }
        let report = Report(
            invitations: await done.run(or: 0) {
                try await invitations.deleteFinished(
                    retention: rules.inviteRetention, lifetime: rules.inviteLifetime, batch: batchSize)
            },
            partitions: await done.run(or: 0) {
                try await groups.emptyOldPartitions(retention: rules.eventRetention)
            },
            events: await done.run(or: 0) {
                try await groups.deleteOldEvents(retention: rules.eventRetention, batch: batchSize)
            },
            formerMembers: await done.run(or: 0) {
                try await groups.deleteFormerMembers(memory: rules.memoryOfMembers, batch: batchSize)
            })
        try done.finish()
        return report
    }
}
