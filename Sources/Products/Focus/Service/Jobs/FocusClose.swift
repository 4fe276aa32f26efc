import FeatureKit
import FocusRules
import Foundation
import Jobs
import Postgres

/// Closes the weeks that are over: their leagues, then the boards of groups, then it puts the weeks into feeds, and gives the
/// seats of the next week to users who are due.
///
/// Each step is a transaction that holds the week's row. So any number of processes may run the job, each board and league
/// closes once, and a process that is killed anywhere leaves its last step undone.
///
/// A step that fails is repeated with fewer rows. The week is closed without a row that fails alone: no week closes before the one
/// before it, so one league, group or user would keep all others from every later week.
struct FocusClose: Sendable {
    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var weeks = 0
        var leagues = 0
        var boards = 0
        var seats = 0
    }

    fileprivate enum Step: Sendable {
        case leagues(Int)
        case boards(Int)
        case feed
        case seats(Int)
        case week
        /// A row that fails alone was left out.
        case skipped(any Error)
        /// Nothing is due, or another process works on it.
        case nothing
    }

    let postgres: PostgresClient
    let settings: FocusSettings
    /// The rows of one step: groups, users of feeds, leagues.
    let batch: Int
    /// The seats of one step, for each league that it may close. A league may have a thousand.
    private static let seatsOfLeague = 30
    /// The users who get seats in one step, at most. It takes the locks of their tiers: whoever earns the first points of the week
    /// waits.
    private static let newSeats = 50

    init(postgres: PostgresClient, settings: FocusSettings, batch: Int = 500) {
        self.postgres = postgres
        self.settings = settings
        self.batch = batch
    }

    func runOnce() async throws -> Report {
        try await postgres.transaction { tx in
            try tx.requireAgreedTime()
            try FocusCloseStore.begin(tx)
        }
        var (report, rows, failures) = (Report(), batch, RowFailures())
        while !Task.isCancelled {
            let size = rows
            do {
                let taken = try await postgres.transaction { tx in try step(tx, size) }
                if case .nothing = taken { break }
                if case .skipped(let error) = taken { try failures.add(error) }
                report.add(taken)
                rows = min(batch, size * 10)
            } catch let error where error.isOfRows && size > 1 {
                rows = max(1, size / 10)
            }
        }
        try failures.finish()
        return report
    }

    private func step(_ tx: PostgresTransaction, _ batch: Int) throws -> Step {
        try tx.requireAgreedTime()
        guard let close = try FocusCloseStore.claim(tx) else { return .nothing }
        guard batch == 1 else { return try step(tx, close, batch) }
        try tx.execute("SAVEPOINT row")
        do {
            return try step(tx, close, batch)
        } catch let error where error.isOfRows {
            try tx.execute("ROLLBACK TO SAVEPOINT row")
            try skip(tx, close)
            return .skipped(error)
        }
    }

    private func step(_ tx: PostgresTransaction, _ close: FocusOpenClose, _ batch: Int) throws -> Step {
        if !close.areLeaguesDone { return .leagues(try closeLeagues(tx, close, batch)) }
        if let after = close.groupsAfter { return .boards(try closeGroups(tx, close, after: after, batch)) }
        if let after = close.feedAfter {
            let last = try FocusFeedStore.insertWeeks(tx, close.week, after: after, limit: batch)
            try FocusCloseStore.setFeed(tx, week: close.week, after: last?.rawValue)
            return .feed
        }
        if close.isLast, let seats = try seat(tx, close, batch) { return .seats(seats) }
        try FocusCloseStore.finish(tx, week: close.week)
        return .week
    }

    /// Goes on behind the row that fails alone: a league closes without places, a group without a board, a user has no item in
    /// feeds or no seat.
    private func skip(_ tx: PostgresTransaction, _ close: FocusOpenClose) throws {
        let week = close.week
        if !close.areLeaguesDone {
            try FocusLeagueStore.closeWithoutPlaces(tx, week: week)
        } else if let after = close.groupsAfter {
            try FocusCloseStore.setGroups(
                tx, week: week, after: try FocusCloseStore.nextGroup(tx, week: week, after: after))
        } else if let after = close.feedAfter {
            try FocusCloseStore.setFeed(tx, week: week, after: try FocusFeedStore.next(tx, after: after))
        } else if let user = try FocusCloseStore.seatCandidates(
            tx, week: week, after: close.seatsAfter, limit: 1
        )
        .first {
            try FocusCloseStore.setSeats(tx, week: week, after: user.rawValue)
        }
    }

    private func closeLeagues(
        _ tx: PostgresTransaction, _ close: FocusOpenClose, _ batch: Int
    ) throws -> Int {
        let count = try FocusLeagueStore.close(
            tx, week: close.week, limit: batch, seats: batch * Self.seatsOfLeague)
        if count == 0 { try FocusCloseStore.setLeaguesDone(tx, week: close.week) }
        return count
    }

    private func closeGroups(
        _ tx: PostgresTransaction, _ close: FocusOpenClose, after: UUID, _ batch: Int
    ) throws -> Int {
        let closed = try FocusCloseStore.closeGroups(tx, week: close.week, after: after, limit: batch)
        try FocusCloseStore.setGroups(tx, week: close.week, after: closed?.last)
        let boards = closed?.boards ?? []
        FocusHints().boardsClosed(tx, boards, week: close.week.daysSince1970)
        return boards.count
    }

    /// nil: every user who is due has a seat.
    private func seat(_ tx: PostgresTransaction, _ close: FocusOpenClose, _ batch: Int) throws -> Int? {
        let users = try FocusCloseStore.seatCandidates(
            tx, week: close.week, after: close.seatsAfter, limit: min(batch, Self.newSeats))
        guard let last = users.last else { return nil }
        for user in users { try FocusLeagueStore.seatIfDue(tx, user, size: settings.leagueSize) }
        try FocusCloseStore.setSeats(tx, week: close.week, after: last.rawValue)
        return users.count
    }
}

extension FocusClose.Report {
    fileprivate mutating func add(_ step: FocusClose.Step) {
        switch step {
        case .leagues(let count): leagues += count
        case .boards(let count): boards += count
        case .seats(let count): seats += count
        case .week: weeks += 1
        case .feed, .skipped, .nothing: break
        }
    }
}
