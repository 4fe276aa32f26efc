import Auth
import FeatureKit
import Foundation
import HTTPKit
import Jobs
import Postgres
import Restoration
import ServiceLifecycle

/// Groups, their members, invitations and blocks.
package struct GroupsFeature: Feature {
    /// Reads the events of groups.
    package let log: GroupLogStore
    package let cursors: GroupCursors
    let service: GroupService
    package let invitations: InvitationService
    private let blocks: BlockService
    private let store: GroupStore
    private let accounts: Accounts
    private let rules: GroupSettings
    private let platform: Platform

    /// - Parameters:
    ///   - pushes: sends push messages about invitations; nil: every invitee gets an SMS.
    ///   - hooks: the parts that products take in changes of groups.
    ///   - makeCode: a new code for each call, from a secure generator.
    package init(
        _ rules: GroupSettings, links: InvitationLinks, platform: Platform, accounts: Accounts,
        pushes: (any InvitationPushes)?, hooks: GroupHooks = GroupHooks(),
        makeCode: @escaping @Sendable () -> InvitationCode = { .random() }
    ) {
        let hashes = NumberHashes(secret: platform.secrets)
        let blockStore = BlockStore(postgres: platform.database, hashes: hashes)
        store = GroupStore(postgres: platform.database)
        log = GroupLogStore(postgres: platform.database)
        cursors = GroupCursors(secret: platform.secrets)
        invitations = InvitationService(
            store: InvitationStore(postgres: platform.database, blocks: blockStore), groups: store,
            accounts: accounts, optOuts: OptOutStore(postgres: platform.database, hashes: hashes),
            rates: platform.rates, messages: platform.sms, pushes: pushes, links: links, rules: rules,
            makeCode: makeCode, logger: platform.logger)
        service = GroupService(
            groups: store, accounts: accounts, invitations: invitations, rates: platform.rates, rules: rules,
            hooks: hooks)
        blocks = BlockService(
            blocks: blockStore, groups: store, accounts: accounts, rates: platform.rates, rules: rules,
            hooks: hooks)
        self.accounts = accounts
        self.rules = rules
        self.platform = platform
    }

    package var routes: [Route] {
        GroupRoutes(service: service, phoneNumbers: accounts.phoneNumbers).routes
            + InvitationRoutes(service: invitations, phoneNumbers: accounts.phoneNumbers).routes
            + BlockRoutes(service: blocks).routes
    }

    package var jobs: [any Service] {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        let sweep = GroupSweep(postgres: postgres, hashes: blocks.blocks.hashes, rules: rules)
        return [
            PeriodicJob(
                name: "group_sweep", interval: .seconds(600), leases: platform.leases, logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { try await sweep.runOnce() }
            }
        ]
    }

    package var exports: [UserDataExport] {
        [
            store.export, blocks.blocks.export,
            { tx, user in try invitations.store.export(tx, accounts.require(tx, user)) },
        ]
    }

    /// Ends the user's memberships as if they had left each group.
    package var onErase: [AccountHook] { [service.erase] }

    /// Tells the groups of the user's new name.
    package var onRename: [AccountHook] { [{ tx, user in try store.recordRename(tx, of: user) }] }

    package var restorations: [RestoreWalk] {
        [
            RestoreWalk("groups", .journal([.group]), count: \.groups) { scope, after, limit in
                try await service.eraseAgain(after: after, limit: limit) {
                    scope.journal.contains(.group, $0)
                }
            },
            RestoreWalk("memberships", .journal([.member]), count: \.memberships) { scope, after, limit in
                try await service.endMembershipsAgain(after: after, limit: limit) {
                    scope.journal.contains(.member, $0)
                }
            },
            RestoreWalk("blocks", .journal([.block, .unblock]), count: \.blocks) { scope, after, limit in
                try await service.restoreBlocks(after: after, limit: limit) {
                    scope.journal.lastStates(.block, undoneBy: .unblock, about: $0)
                }
            },
            RestoreWalk("recognising", .journal([.block, .unblock])) { _, after, limit in
                try await service.recogniseBlocked(after: after, limit: limit)
            },
            .once("stops", .journal([.stop, .allow]), count: \.stops) { scope in
                try await service.restoreStops(scope.journal.lastStates(.stop, undoneBy: .allow))
            },
            RestoreWalk("invitations", .journal([.invitation]), count: \.invitations) {
                scope, after, limit in
                try await service.revokeAgain(after: after, limit: limit) {
                    scope.journal.contains(.invitation, $0)
                }
            },
            RestoreWalk("invitations", .endingAll, count: \.invitations) { scope, after, limit in
                try await service.revoke(after: after, limit: limit, madeBy: scope.until)
            },
        ]
    }
}
