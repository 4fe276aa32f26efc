import Auth
import DailyPhotos
import Foundation
import Groups
import Jobs
import Postgres
import Restoration

/// The work of a restore.
extension Restoring {
    /// Every step may be repeated, and may run beside another instance's.
    func erase(leniently isLenient: Bool) async throws -> (RestoreReport, RestorePlan) {
        for _ in 1...10 {
            let plan = try await restoreGuard.plan()
            do {
                return (try await erase(plan, leniently: isLenient), plan)
            } catch JournalFailure.changed {
                continue
            }
        }
        throw JournalFailure.changed
    }

    private func erase(_ plan: RestorePlan, leniently isLenient: Bool) async throws -> RestoreReport {
        let walk = RestoreWalk(restoreGuard, run: plan.name, tell: progress)
        var report = RestoreReport()
        var doubt = plan.doubt
        var endedAllBy: Date?
        var reader = restoreGuard.reader(plan, leniently: isLenient)
        var number = 0
        report.messages = try await walk("messages") {
            try await Outbox(postgres: database).giveUpUncertain(after: $0, limit: $1, dueBy: plan.until)
        }
        while let part = try await reader.next() {
            number += 1
            try await repeatErasures(part, number, walk, &report)
            try await repeatEnds(part, number, walk, &report)
            endedAllBy = [endedAllBy, part.latest("all")].compactMap(\.self).max()
            if part.tells(of: "hole") { doubt = doubt ?? .hole }
        }
        if reader.leftOut > 0 { doubt = doubt ?? .unread }
        _ = try await walk("codes") { try await auth.endCodes(after: $0, limit: $1, madeBy: plan.until) }
        report.endedAllBecause = doubt?.rawValue
        if doubt != nil { endedAllBy = plan.now }
        if let endedAllBy { try await endAll(by: endedAllBy, walk, &report) }
        if doubt != nil { try await settleDoubt(plan, walk, &report) }
        report.objects =
            try await PhotoSweeper(postgres: database, objects: store, logger: logger).runOnce()
            .deletedObjects
        try await restoreGuard.finish(endedAllBy: doubt == nil ? nil : plan.now)
        return report
    }

    /// Accounts, groups, memberships and photos, and the promises that were made meanwhile.
    private func repeatErasures(
        _ part: ErasureJournal, _ number: Int, _ walk: RestoreWalk, _ report: inout RestoreReport
    ) async throws {
        if part.tells(of: "user") {
            report.accounts += try await walk("accounts \(number)") {
                try await auth.eraseAgain(after: $0, limit: $1) { part.holds("user", $0) }
            }
        }
        if part.tells(of: "group") {
            report.groups += try await walk("groups \(number)") {
                try await groups.eraseAgain(after: $0, limit: $1) { part.holds("group", $0) }
            }
        }
        if part.tells(of: "member") {
            report.memberships += try await walk("memberships \(number)") {
                try await groups.endMembershipsAgain(after: $0, limit: $1) { part.holds("member", $0) }
            }
        }
        if part.tells(of: "photo") {
            let photos = PhotoRestoration(postgres: database)
            report.photos += try await walk("photos \(number)") {
                try await photos.eraseAgain(after: $0, limit: $1) { part.holds("photo", $0) }
            }
        }
        if part.tells(of: "block") || part.tells(of: "unblock") {
            report.blocks += try await walk("blocks \(number)") {
                try await groups.restoreBlocks(after: $0, limit: $1) {
                    part.last("block", "unblock", about: $0)
                }
            }
            _ = try await walk("recognising \(number)") {
                try await groups.recogniseBlocked(after: $0, limit: $1)
            }
        }
        report.stops += try await groups.restoreStops(part.last("stop", "allow"))
    }

    /// Sessions and invitations that ended, and days that were used.
    private func repeatEnds(
        _ part: ErasureJournal, _ number: Int, _ walk: RestoreWalk, _ report: inout RestoreReport
    ) async throws {
        if part.tells(of: "session") {
            report.sessions += try await walk("sessions \(number)") {
                try await auth.endSessionsAgain(after: $0, limit: $1) { part.holds("session", $0) }
            }
        }
        if part.tells(of: "invite") {
            report.invitations += try await walk("invitations \(number)") {
                try await groups.revokeAgain(after: $0, limit: $1) { part.holds("invite", $0) }
            }
        }
        if part.tells(of: "sent") {
            let photos = PhotoRestoration(postgres: database)
            report.days += try await walk("days \(number)") {
                try await photos.useDaysAgain(after: $0, limit: $1) { digest in
                    part.greatest("sent", about: digest).flatMap(PostgresDate.init)
                }
            }
        }
    }

    private func endAll(by time: Date, _ walk: RestoreWalk, _ report: inout RestoreReport) async throws {
        report.sessions += try await walk("sessions") {
            try await auth.endSessions(after: $0, limit: $1, startedBy: time)
        }
        report.invitations += try await walk("invitations") {
            try await groups.revoke(after: $0, limit: $1, madeBy: time)
        }
    }

    /// The further steps for a restore whose journal is incomplete.
    private func settleDoubt(
        _ plan: RestorePlan, _ walk: RestoreWalk, _ report: inout RestoreReport
    ) async throws {
        let photos = PhotoRestoration(postgres: database)
        report.days += try await walk("days") {
            try await photos.useUncertainDays(after: $0, limit: $1, until: plan.until)
        }
        report.photosWithoutObjects = try await hidePhotosWithoutObjects(plan)
    }

    /// The audit has the name of this restore, so that one that was killed goes on, and no other one does.
    private func hidePhotosWithoutObjects(_ plan: RestorePlan) async throws -> Int {
        var settings = AuditSettings(lifetime: lifetime)
        settings.mends = true
        settings.hideCeiling = nil
        let audit = PhotoAudit(
            postgres: database, objects: store, name: "restore \(plan.name)", logger: logger)
        while true {
            do {
                return try await audit.run(settings, resume: true).hiddenPhotos
            } catch AuditFailure.underWay {
                // Another instance that started at the same time.
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
