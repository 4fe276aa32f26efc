import FeatureKit
import FocusRules
import Foundation
import Postgres

/// Days and weeks of a user, and the rating of days.
struct FocusDayService: Sendable {
    static let pageSize = 50
    /// The streaks of older days are not kept.
    private static let streakDays = 90
    /// A day may be rated until so many days after it.
    private static let ratedDays = 7

    struct Day: Sendable {
        let state: FocusDayState
        let closedThrough: DayNumber?
        let hasStreaks: Bool
    }

    struct Week: Sendable {
        let figures: DayFigures
        let days: [FocusDayState]
        let closedThrough: DayNumber?
    }

    let postgres: PostgresClient
    let members: FocusMemberStore

    init(postgres: PostgresClient, members: FocusMemberStore) {
        self.postgres = postgres
        self.members = members
    }

    /// One page of the weeks with streaks, newest first.
    func weeks(
        of user: UserID, before: DayNumber?
    ) async throws -> (weeks: [(week: DayNumber, figures: DayFigures)], next: DayNumber?) {
        try await postgres.transaction { tx in
            _ = try members.require(tx, user)
            let found = try FocusDayStore.weeks(tx, of: user, before: before, limit: Self.pageSize + 1)
            let page = Array(found.prefix(Self.pageSize))
            return (page, found.count > Self.pageSize ? page.last?.week : nil)
        }
    }

    /// - Throws: `FocusError.notFound` for a day that is not a Monday, and for later weeks than the current one.
    func week(_ week: DayNumber, of user: UserID) async throws -> Week {
        try await postgres.transaction { tx in
            let state = try FocusUserStore.require(tx, user)
            guard monday(of: week) == week, week <= state.member.today else { throw FocusError.notFound }
            let known = try FocusDayStore.days(tx, of: user, from: week, through: week + 6, streaksFrom: nil)
            let all = (week..<week + 7).map { day in
                known.first { $0.day == day } ?? FocusDayState(day: day)
            }
            return Week(
                figures: DayFigures(weekOf: all.map(\.figures)), days: all,
                closedThrough: state.usage.days.closedThrough)
        }
    }

    /// - Throws: `FocusError.notFound` for later days than today.
    func day(_ day: DayNumber, of user: UserID) async throws -> Day {
        try await postgres.transaction { tx in
            try require(tx, day, of: try FocusUserStore.require(tx, user))
        }
    }

    /// - Throws: `FocusError.notFound` for a day without screen time; `.dayClosed` for one that is too long ago.
    func rate(_ day: DayNumber, of user: UserID, isUp: Bool) async throws -> Day {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            guard day <= member.today else { throw FocusError.notFound }
            guard
                try FocusDayStore.days(tx, of: user, from: day, through: day, streaksFrom: nil).first?.minutes
                    != nil
            else { throw FocusError.notFound }
            guard member.today <= day + Self.ratedDays else { throw FocusError.dayClosed }
            _ = try FocusDayStore.rate(tx, day, of: user, isUp: isUp)
            return try require(tx, day, of: try FocusUserStore.require(tx, user))
        }
    }

    private func require(
        _ tx: PostgresTransaction, _ day: DayNumber, of state: FocusUserState
    ) throws -> Day {
        guard day <= state.member.today else { throw FocusError.notFound }
        let found = try FocusDayStore.days(
            tx, of: state.member.user, from: day, through: day, streaksFrom: day
        ).first
        return Day(
            state: found ?? FocusDayState(day: day), closedThrough: state.usage.days.closedThrough,
            hasStreaks: day >= state.member.today - Self.streakDays)
    }
}
