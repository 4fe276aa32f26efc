import CompanionRules
import FeatureKit
import Postgres

/// Writes the summaries that are due by themselves.
struct CompanionSummaries: Sendable {
    private let writer = CompanionDiaryWriter()

    /// - Parameter due: days that have events and no summary, the oldest first.
    func write(_ tx: PostgresTransaction, _ owner: CompanionOwner, _ due: [CompanionDayState]) throws {
        var written = due
        var clocks = CompanionClocks(
            zone: owner.zone,
            expecting: due.flatMap { day in
                [day.figures.times.summaryAloneAt, day.figures.firstUseAt, day.figures.lastUseAt].compactMap {
                    $0
                }
            })
        for place in written.indices {
            written[place].figures.hasSummary = true
            let figures = written[place].figures
            try writer.write(
                tx, .nightly, of: figures, at: figures.times.summaryAloneAt, for: owner.user, clocks: &clocks)
        }
        try CompanionDayStore.write(tx, written, of: owner.user)
    }
}
