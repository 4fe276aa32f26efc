import FeatureKit
import FocusRules
import Foundation
import Postgres

/// Closes the weeks that are over: their leagues, then the boards of groups, then it puts the weeks into feeds, and gives the
/// seats of the next week to users who are due.
///
/// Each step is a transaction that holds the week's row. So any number of processes may run the job, each board and league
/// closes once, and a process that is killed anywhere leaves its last step undone.
struct FocusClose: Sendable {
    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var weeks = 0
        var leagues = 0
        var boards = 0
        var seats = 0
    }

    private enum Step: Sendable {
        case leagues(Int)
        case boards(Int)
        case feed
        case seats(Int)
        case week
        /// Nothing is due, or another process works on it.
        case nothing
    }

    let postgres: PostgresClient
    let settings: FocusSettings
    /// The rows of one step: groups, users of feeds, leagues.
    let batch: Int
    /// The seats of the leagues of one step. A league may have a thousand.
    private var seatsOfLeagues: Int { batch * 30 }
    /// The users who get seats in one step, which takes the locks of their tiers: whoever earns the first points of the week waits.
    private var newSeats: Int { min(batch, 50) }
    private let closes = FocusCloseStore()
    private let leagues = FocusLeagueStore()

    init(postgres: PostgresClient, settings: FocusSettings, batch: Int = 500) {
        self.postgres = postgres
        self.settings = settings
        self.batch = batch
    }

    func runOnce() async throws -> Report {
        try await postgres.transaction { tx in try closes.begin(tx) }
        var report = Report()
        while !Task.isCancelled {
            switch try await postgres.transaction({ tx in try step(tx) }) {
            case .leagues(let count): report.leagues += count
            case .boards(let count): report.boards += count
            case .feed: break
            case .seats(let count): report.seats += count
            case .week: report.weeks += 1
            case .nothing: return report
            }
        }
        return report
    }

    private func step(_ tx: PostgresTransaction) throws -> Step {
        guard let close = try closes.claim(tx) else { return .nothing }
        if !close.areLeaguesDone { return .leagues(try closeLeagues(tx, close)) }
        if let after = close.groupsAfter { return .boards(try closeGroups(tx, close, after: after)) }
        if let after = close.feedAfter {
            let last = try FocusFeedStore.insertWeeks(tx, close.week, after: after, limit: batch)
            try closes.setFeed(tx, week: close.week, after: last?.rawValue)
            return .feed
        }
        if close.isLast, let seats = try seat(tx, close) { return .seats(seats) }
        try closes.finish(tx, week: close.week)
        return .week
    }

    private func closeLeagues(_ tx: PostgresTransaction, _ close: FocusOpenClose) throws -> Int {
        let count = try leagues.close(tx, week: close.week, limit: batch, seats: seatsOfLeagues)
        if count == 0 { try closes.setLeaguesDone(tx, week: close.week) }
        return count
    }

    private func closeGroups(
        _ tx: PostgresTransaction, _ close: FocusOpenClose, after: UUID
    ) throws -> Int {
        let closed = try closes.closeGroups(tx, week: close.week, after: after, limit: batch)
        try closes.setGroups(tx, week: close.week, after: closed?.last)
        let boards = closed?.boards ?? []
        FocusHints().boardsClosed(tx, boards, week: close.week.daysSince1970)
        return boards.count
    }

    /// nil: every user who is due has a seat.
    private func seat(_ tx: PostgresTransaction, _ close: FocusOpenClose) throws -> Int? {
        let users = try closes.seatCandidates(tx, week: close.week, after: close.seatsAfter, limit: newSeats)
        guard let last = users.last else { return nil }
        for user in users { try leagues.seatIfDue(tx, user, size: settings.leagueSize) }
        try closes.setSeats(tx, week: close.week, after: last.rawValue)
        return users.count
    }
}
