import Foundation

/// The rules of `CallerLimits` as a pure state, without clocks and tasks: the users who make requests now, with their
/// counts.
struct CallerTable {
    enum Entry: Equatable {
        /// The request holds one of its user's places. `leave` gives it back.
        case runs
        /// The request waits for a place. It gets one when `leave` returns it, or it calls `giveUp`.
        case waits
        /// The user has no write left until `freeIn` has passed.
        case tooManyWrites(freeIn: Duration)
        /// The largest allowed number of requests of the user wait already.
        case tooManyRequests
        /// The table is full of busy users. The request runs without a place.
        case uncounted
    }

    private struct Caller {
        var running = 0
        var waiting: [UInt64] = []
        /// A token bucket: a write takes one token, and time brings them back.
        var writes: Double
        var writesAt: ContinuousClock.Instant
    }

    private let settings: CallerLimits.Settings
    private var callers: [UUID: Caller] = [:]
    private var prunedAt: ContinuousClock.Instant?

    init(settings: CallerLimits.Settings) {
        self.settings = settings
    }

    var count: Int { callers.count }
    func running(of user: UUID) -> Int { callers[user]?.running ?? 0 }
    func isWaiting(_ request: UInt64, of user: UUID) -> Bool {
        callers[user]?.waiting.contains(request) ?? false
    }

    mutating func enter(
        _ request: UInt64, of user: UUID, isWrite: Bool, maxWaiting: Int, now: ContinuousClock.Instant
    ) -> Entry {
        guard var caller = callers[user] ?? newCaller(now) else { return .uncounted }
        refill(&caller, now)
        defer { callers[user] = caller }
        if isWrite, settings.countsWrites {
            guard caller.writes >= 1 else {
                return .tooManyWrites(freeIn: .seconds((1 - caller.writes) / settings.writesPerSecond))
            }
            caller.writes -= 1
        }
        if caller.running < settings.maxRunning {
            caller.running += 1
            return .runs
        }
        guard caller.waiting.count < maxWaiting else { return .tooManyRequests }
        caller.waiting.append(request)
        return .waits
    }

    /// Gives back a place of the user.
    ///
    /// - Returns: the waiting request that gets the place; nil if no request waits.
    mutating func leave(_ user: UUID) -> UInt64? {
        guard var caller = callers[user] else { return nil }
        defer { callers[user] = isIdle(caller) ? nil : caller }
        if !caller.waiting.isEmpty { return caller.waiting.removeFirst() }
        caller.running -= 1
        return nil
    }

    mutating func giveUp(_ request: UInt64, of user: UUID) {
        callers[user]?.waiting.removeAll { $0 == request }
    }

    /// - Returns: nil if the table is full. An attacker who keeps that many accounts busy would not be stopped by a limit
    ///   for each of them.
    private mutating func newCaller(_ now: ContinuousClock.Instant) -> Caller? {
        prune(now)
        return callers.count < settings.maxCallers
            ? Caller(writes: settings.writeBurst, writesAt: now) : nil
    }

    private func refill(_ caller: inout Caller, _ now: ContinuousClock.Instant) {
        let gained = caller.writesAt.duration(to: now).seconds * settings.writesPerSecond
        caller.writes = min(settings.writeBurst, caller.writes + max(0, gained))
        caller.writesAt = now
    }

    private func isIdle(_ caller: Caller) -> Bool {
        caller.running == 0 && caller.waiting.isEmpty && caller.writes >= settings.writeBurst
    }

    /// Removes the users who have no request and all their writes.
    private mutating func prune(_ now: ContinuousClock.Instant) {
        if let prunedAt, prunedAt.duration(to: now) < .seconds(5) { return }
        prunedAt = now
        callers = callers.filter { _, caller in
            var caller = caller
            refill(&caller, now)
            return !isIdle(caller)
        }
    }
}
