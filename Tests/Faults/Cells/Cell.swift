/// The outcome of a cell.
package struct Outcome: Sendable {
    package let findings: [Finding]
    /// How far it went, for people.
    package let remarks: [String]

    package init(findings: [Finding], remarks: [String]) {
        self.findings = findings
        self.remarks = remarks
    }
}

/// One part of the harness, with a world of its own.
package struct Cell: Sendable, CustomStringConvertible {
    package let name: String
    package let run: @Sendable () async throws -> Outcome

    package var description: String { name }

    /// The cells that `scripts/test` runs, the longest first.
    package static let brief: [Cell] =
        [sweepers] + crashes + kills + faults + meetings + focus + companion + [clocks, sequences]
    /// Every cell but the random ones. The close of a week takes more than a minute: it is killed 123 times.
    package static let all: [Cell] =
        brief + [
            // Guard: a keyed call of Companion has one effect (`IdempotencyKeyStore.once`)
            inCompanion("companion-cure", .cure),
            // Guard: a dead pet is not reset (`CompanionResetStore.reset`)
            Cell(name: "companion-roll") { try await CompanionRolling.run() },
            Cell(name: "focus-close") { try await FocusClosing.run() },
        ]

    private static let kills: [Cell] = [
        // Guard: objects before their rows (`PhotoSweeper.delete`)
        stage("kill-sweep") { try await SweepKilling(stage: $0).run() },
        // Guard: the next upload takes over from a dead one (`UploadStore.claim`)
        stage("kill-upload") { try await Killing(stage: $0, operation: .upload).run() },
        stage("kill-deletion") { try await Killing(stage: $0, operation: .deletion).run() },
        stage("kill-redemption") { try await Killing(stage: $0, operation: .redemption).run() },
        // Guard: an audit that is cut off keeps what it has found (`AuditStore.save`)
        stage("kill-audit") { try await AuditKilling(stage: $0).run() },
        stage("kill-news", pushes: true) { try await News($0).kill() },
    ]

    // Guard: sweepers claim (`ForgettingStore.claimDueObjects`)
    private static let sweepers = stage("meet-sweepers") { try await Meetings.sweepers($0) }

    /// kill -9 of PostgreSQL: 50 times in all.
    private static let crashes: [Cell] = [
        // Guard: an acknowledged COMMIT survives a crash of PostgreSQL
        // (`PostgresConfiguration.settingsStatement` (`synchronous_commit`))
        stage("crash-sweep", by: .durable) {
            let sweeper = try $0.world.instance()
            try await Crashing(stage: $0, operation: .sweep(by: sweeper), rounds: 8).run()
        },
        // Guard: an acknowledged COMMIT survives a crash of PostgreSQL
        // (`PostgresConfiguration.settingsStatement` (`synchronous_commit`))
        stage("crash-deletion", by: .durable) {
            try await Crashing(stage: $0, operation: .deletion, rounds: 7).run()
        },
        // Guard: an acknowledged COMMIT survives a crash of PostgreSQL
        // (`PostgresConfiguration.settingsStatement` (`synchronous_commit`))
        stage("crash-upload", by: .durable) {
            try await Crashing(stage: $0, operation: .upload, rounds: 10).run()
        },
    ]

    /// Kills and broken connections of Focus.
    private static let focus: [Cell] = [
        inFocus("focus-sync", .sync), inFocus("focus-session", .session),
        inFocus("focus-purchase", .purchase),
    ]

    private static func inFocus(_ name: String, _ act: FocusAct) -> Cell {
        Cell(name: name) {
            try await FocusStage.run { try await Interruptions(stage: $0, act: act).run() }
        }
    }

    /// Kills and broken connections of Companion.
    private static let companion: [Cell] = [
        // Guard: a keyed call of Companion has one effect (`IdempotencyKeyStore.once`)
        // Guard: a meal and its price are one transaction (`CompanionPetService.feed`)
        inCompanion("companion-feed", .meal, paid: 4),
        // Guard: a day that is closed is not closed again (`CompanionDayClosing.close`)
        inCompanion("companion-award", .award),
        // Guard: a transaction of the store is credited once (`CompanionPurchaseService.isCounted`,
        // `companion_purchases`: both out, the ledger's unique index is left)
        inCompanion("companion-purchase", .purchase),
        // Guard: a purchase is refunded once (`CompanionPurchaseStore.refund`)
        inCompanion("companion-refund", .refund),
        // Guard: a day's end resets a pet once (`CompanionRoll.endDays`, `CompanionResetStore.reset`: both
        // out)
        inCompanion("companion-reset", .reset),
    ]

    private static func inCompanion(_ name: String, _ act: CompanionAct, paid days: Int = 0) -> Cell {
        Cell(name: name) {
            try await CompanionStage.run(paid: days) { try await Interruptions(stage: $0, act: act).run() }
        }
    }

    private static let clocks = stage("clock-jump", by: .durableWithClock, ["photos.sweep_interval": "1s"]) {
        try await ClockJump(stage: $0).run()
    }

    /// Faults of one request to the store.
    private static let quick: [Fault] = [
        .reset, .replyLost, .status(500, xml: true), .status(500, xml: false), .status(503, xml: true),
        .status(503, xml: false), .keptNothing, .delay(.seconds(1)),
    ]

    private static let faults: [Cell] = [
        // Guard: a COMMIT of unknown outcome deletes nothing; only what is pending is abandoned
        // (`PhotoService.store`, `UploadStore.abandon`: both out)
        stage("fault-upload-database") {
            try await Faulting(stage: $0, operation: .upload).atEachStatement()
        },
        stage("fault-pooled-upload", by: .pooled) {
            try await Faulting(stage: $0, operation: .upload).atEachStatement()
        },
        stage("fault-upload-store") {
            try await Faulting(stage: $0, operation: .upload).atEachRequest(quick)
        },
        stage("fault-upload-store-strict", on: .swift) {
            try await Faulting(stage: $0, operation: .upload).atEachRequest([
                .replyLost, .status(503, xml: true), .keptNothing,
            ])
        },
        stage("fault-upload-hang") {
            try await Faulting(stage: $0, operation: .upload).whileBroken(.store, .hang)
        },
        // Guard: a second deletion where a PUT may come late (`ForgettingStore.scheduleSecondPass`)
        stage("fault-upload-late") {
            try await Faulting(stage: $0, operation: .upload).whileBroken(.store, .late(.seconds(14)))
        },
        // Guard: the same where an accepted photo is deleted before its first PUT, given up, has landed
        // (`ForgettingStore.claimDueObjects`)
        stage("fault-deletion-late") {
            try await Faulting(stage: $0, operation: .upload).lateBehindDeletion()
        },
        // Guard: a put object is looked for (`S3ObjectStore.put`)
        stage("fault-upload-kept-nothing") {
            try await Faulting(stage: $0, operation: .upload).whileBroken(.store, .keptNothing)
            try await Faulting(stage: $0, operation: .upload).whileBroken(.store, .status(503, xml: true))
            try await Faulting(stage: $0, operation: .upload).whileRefused(.store)
            try await Faulting(stage: $0, operation: .upload).whileRefused(.database)
        },
        stage("fault-redemption-database") {
            try await Faulting(stage: $0, operation: .redemption).atEachStatement()
        },
        stage("fault-deletion-database") {
            try await Faulting(stage: $0, operation: .deletion).atEachStatement()
        },
        stage("fault-messages") { try await MessageFaults(stage: $0).run() },
    ]

    private static let meetings: [Cell] = [
        stage("meet-uploads") { try await Meetings.uploads($0, sameKey: false) },
        stage("meet-repeated-upload") { try await Meetings.uploads($0, sameKey: true) },
        // Guard: the sender is still a member when the photo is accepted (`UploadStore.accept`)
        stage("meet-removal") { try await Meetings.departure($0, ofAccount: false) },
        // Guard: membership is held while a day is claimed (`UploadStore.claim`)
        stage("meet-deletion") { try await Meetings.departure($0, ofAccount: true) },
        // Guard: an upload whose lease is over is not accepted (`UploadStore.accept`)
        stage("meet-lease") { try await Meetings.lateness($0) },
        // Guard: the group's row is locked while a seat is taken (`GroupStore.lockInvited`)
        stage("meet-last-seat", ["limits.members_per_group": "2"]) {
            try await Meetings.seats($0)
        },
        // Guard: the user's row is locked while he joins (`UserStore.requireLocked`)
        stage("meet-last-group", ["limits.groups_per_user": "1"]) { try await Meetings.lastGroups($0) },
        // Guard: a sign-in code is locked while it is judged (`VerificationStore.lockIfPresent`)
        stage("meet-codes") { try await Meetings.codes($0) },
        // Guard: a session is locked while its token is exchanged (`SessionStore.lockIfPresent`)
        stage("meet-refreshes") { try await Meetings.refreshes($0) },
        // Guard: one message per reader, group and day (`NotificationStore.key`)
        stage("meet-news", pushes: true) { try await News($0).meet() },
    ]

    // URLs could outlive photos there.
    // Guard: one row for each sender, group and day (`photos_one_per_day`)
    // Guard: a deleted photo's objects are due (trigger `photos_forget_objects`)
    // Guard: a day that was used stays used (`UploadStore.decision`)
    // Guard: a row before its objects (`PhotoService.store`)
    // Guard: a key stands for its bytes (`PhotoService.answer`)
    // Guard: nothing is shown after its end (`PhotoStore.feed`)
    // Guard: only members are shown a photo (`PhotoStore.require`)
    // Guard: a URL ends with its photo (`PhotoURLs`)
    // Guard: an invitation is used once (`InvitationStore.isOpen`)
    private static let sequences = stage("sequences", ["photos.lifetime": "50m"]) {
        try await Sequences(stage: $0).run()
    }

    private static func stage(
        _ name: String, on store: World.Store = .rclone, pushes: Bool = false,
        by route: DatabaseRoute = .shared, _ settings: [String: String] = [:],
        _ body: @escaping @Sendable (Stage) async throws -> Void
    ) -> Cell {
        Cell(name: name) {
            try await Stage.run(on: store, pushes: pushes, by: route, settings) { rules in
                for (key, path) in [
                    ("limits.members_per_group", \Checker.Rules.membersPerGroup),
                    ("limits.groups_per_user", \Checker.Rules.groupsPerUser),
                ] {
                    if let limit = settings[key].flatMap({ Int($0) }) { rules[keyPath: path] = limit }
                }
                // Clients that a crash interrupted retry only after the last crash of the cell, so the limit covers the
                // whole cell.
                if case .durable = route { rules.retryLimit = 900 }
            } _: {
                try await body($0)
            }
        }
    }
}
