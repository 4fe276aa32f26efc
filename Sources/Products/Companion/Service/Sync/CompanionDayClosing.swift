import CompanionRules
import DeviceIntake
import FeatureKit
import Postgres

/// Closes days by usage reports, and pays for them.
struct CompanionDayClosing: Sendable {
    let awards: AwardRules

    init(awards: AwardRules) {
        self.awards = awards
    }

    /// Closes the open days up to a place, the oldest first.
    func close(
        _ tx: PostgresTransaction, through last: Int, in book: inout CompanionDayBook,
        of owner: CompanionOwner
    ) throws {
        // Days close in their order, so that none before a closed one is open.
        if last >= 0, book[0].closedAt == nil {
            try CompanionDayStore.closeWithoutReport(tx, before: book[0].day, of: owner)
        }
        for place in 0..<(last + 1) where book[place].closedAt == nil {
            let award = award(of: place, in: book, closedAt: owner.now)
            book[place].closedAt = owner.now
            book[place].energy = award
            guard let award, award > 0 else { continue }
            try CompanionWalletService.award(tx, to: owner, for: book[place].day, award)
        }
    }

    private func award(of place: Int, in book: CompanionDayBook, closedAt: Instant) -> Int? {
        // A day before the loaded ones ended so long ago that the award of the first loaded one is nil in any case.
        let before = book.dayBefore(place).map {
            Self.ratio($0, closedAt: $0.closedAt ?? closedAt) ?? .unreported
        }
        return awards.award(
            for: Self.ratio(book[place], closedAt: closedAt),
            dayBefore: book.isFirst(place) ? nil : before ?? .unreported)
    }

    private static func ratio(_ day: CompanionDayState, closedAt: Instant) -> UseRatio? {
        UseRatio(
            reportedMinutes: day.figures.reportedMinutes, limitMinutes: day.figures.limitMinutes,
            endedAt: day.figures.times.endsAt, closedAt: closedAt)
    }
}
