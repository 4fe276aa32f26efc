import Foundation
import Restoration

/// The work of a restore.
extension Restoring {
    /// Does the walks of all features. Each walk may be repeated, and another instance may do the same restore at the same
    /// time.
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
        let walker = RestoreWalker(restoreGuard, restore: plan.name, report: progress)
        var report = RestoreReport()
        var doubt = plan.doubt
        var endedAllBy: Date?
        var reader = restoreGuard.reader(plan, leniently: isLenient)
        var number = 0
        try await walker.run(restorations, .first, until: plan.until, &report)
        while let part = try await reader.next() {
            number += 1
            try await walker.run(restorations, for: part, number: number, until: plan.until, &report)
            endedAllBy = [endedAllBy, part.allEndedAt].compactMap(\.self).max()
            if part.hasHole(since: plan) { doubt = doubt ?? .hole }
        }
        if reader.leftOut > 0 { doubt = doubt ?? .unread }
        report.endedAllBecause = doubt?.rawValue
        report.unrepeatedSince = doubt == nil ? nil : plan.backupAt
        if doubt != nil { endedAllBy = plan.now }
        if let endedAllBy { try await walker.run(restorations, .endingAll, until: endedAllBy, &report) }
        if doubt != nil { try await walker.run(restorations, .incompleteJournal, until: plan.until, &report) }
        try await walker.run(restorations, .last, until: plan.until, &report)
        try await restoreGuard.finish(endedAllBy: doubt == nil ? nil : plan.now)
        return report
    }
}
