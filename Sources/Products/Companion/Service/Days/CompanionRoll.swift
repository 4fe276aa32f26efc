import CompanionRules
import FeatureKit
import Postgres

/// Does what is due for accounts whose settings are locked: the ends of days, in their order, then summaries.
struct CompanionRoll: Sendable {
    let resets: CompanionPetResets

    init(resets: CompanionPetResets) {
        self.resets = resets
    }

    /// - Returns: the accounts afterwards.
    func run(_ tx: PostgresTransaction, _ accounts: [CompanionOwner]) throws -> [CompanionOwner] {
        let rolled = try endDays(tx, accounts)
        let summarised = try writeSummaries(tx, rolled, before: accounts)
        let changed = zip(accounts, rolled).filter { $0 != $1 || summarised.contains($1.user) }
        CompanionHints.dayChanged(tx, of: changed.map(\.1.user))
        return rolled
    }

    private func endDays(
        _ tx: PostgresTransaction, _ accounts: [CompanionOwner]
    ) throws -> [CompanionOwner] {
        let due = accounts.filter { $0.dayTimes.endsAt <= $0.now }
        guard !due.isEmpty else { return accounts }
        let midnights = try CompanionMidnightStore.find(tx, Array(Set(due.map(CompanionDayKey.init))))
        let passages = try due.map { owner in
            try CompanionPassage(of: owner, midnights[CompanionDayKey(owner)])
        }
        try CompanionOwnerStore.write(tx, passages.map(\.owner))
        try CompanionDayStore.insert(
            tx, passages.flatMap { passage in passage.begun.map { (user: passage.owner.user, state: $0) } })
        let ended = passages.map { CompanionEndedDays(owner: $0.owner, days: $0.ended) }
        try CompanionWindowStore.daysEnded(tx, ended)
        try resets.daysEnded(tx, ended)
        let rolled = Dictionary(uniqueKeysWithValues: passages.map { ($0.owner.user, $0.owner) })
        return accounts.map { rolled[$0.user] ?? $0 }
    }

    /// - Returns: the users whose diaries have got a summary.
    private func writeSummaries(
        _ tx: PostgresTransaction, _ accounts: [CompanionOwner], before: [CompanionOwner]
    ) throws -> Set<UserID> {
        let due = try CompanionDayStore.takeDueSummaries(tx, of: before)
        guard !due.isEmpty else { return [] }
        for owner in accounts {
            let own = due.filter { $0.user == owner.user }.map(\.state)
            if !own.isEmpty { try CompanionSummaries().write(tx, owner, own) }
        }
        return Set(due.map(\.user))
    }
}

/// The days of one account that have ended by now, and those that have begun.
struct CompanionPassage: Sendable {
    /// The account afterwards.
    private(set) var owner: CompanionOwner
    private(set) var ended: [CompanionEndedDay] = []
    /// The days that begin, the running one included, as far as they are kept.
    private(set) var begun: [CompanionDayState] = []

    /// - Throws: an error of decoding if PostgreSQL knows no midnight for the end of a day.
    init(of owner: CompanionOwner, _ midnights: CompanionMidnights?) throws {
        self.owner = owner
        guard let midnights else { throw PostgresError.decoding("a zone has no midnights") }
        var next = midnights.nextDay
        while self.owner.dayTimes.endsAt <= owner.now {
            try beginDay(named: next, midnights)
            next = midnights.date(of: self.owner.dayTimes.endsAt) ?? next
        }
    }

    private mutating func beginDay(named date: DayNumber, _ midnights: CompanionMidnights) throws {
        // Names of days only rise. Where the zone has changed without a call about it (the service offered no Companion then,
        // or PostgreSQL has a new table of zones), the date at the end of a day may be that day's own.
        let day = max(date, owner.day + 1)
        let begin = owner.dayTimes.endsAt
        ended.append(CompanionEndedDay(day: owner.day, endsAt: begin))
        let running = RunningDay(day: day, beganAt: begin, isFirst: false)
        guard let end = running.end(among: midnights.candidates(after: begin)) else {
            throw PostgresError.decoding("a day has no end")
        }
        owner.day = day
        owner.dayTimes = DayTimes(beginsAt: begin, endsAt: end)
        owner.limit.beginNextDay()
        keepDay()
    }

    /// A day that ended so long ago that it would be deleted is not made.
    private mutating func keepDay() {
        guard owner.dayTimes.endsAt > owner.now - CompanionDayStore.keptSeconds else { return }
        var state = CompanionDayState(
            day: owner.day, times: owner.dayTimes, limitMinutes: owner.limit.today)
        // Nothing can have happened on it by the time at which its summary was due.
        state.isSummaryOpen = owner.dayTimes.summaryAloneAt > owner.now
        begun.append(state)
    }
}
