import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Postgres

/// Takes the events of one sync: gives each its time and its local day, and decides whether it is kept.
struct FocusIntake {
    struct Rejection {
        let seq: Int
        let reason: RejectionReason
    }

    var device: FocusDeviceState
    var usage: FocusUsageState
    private(set) var kept: [FocusEvent] = []
    private(set) var rejected: [Rejection] = []
    /// The intentions that `kept` names by their place.
    private(set) var intentions: [UUID] = []
    /// The latest local day of an event.
    private(set) var reachedOn: DayNumber?
    /// The reports that count, by day, and the days with minutes that they closed.
    private(set) var reports: [DayNumber: Int] = [:]
    private(set) var closed: [FocusUsageState.Report] = []
    /// The times of the unlocks, in order.
    private(set) var unlocks: [Instant] = []
    /// The kept events whose time is not the one that the phone reported.
    private(set) var correctedCount = 0
    private(set) var hasVerified = false

    /// The last event that was stored before the sync; nil if there was none.
    let before: FocusStoredEvent?
    private let sync: SyncTime
    private let limits: IntakeLimits
    private var localDays: FocusLocalDays
    private let earlierDays: () throws -> [(day: DayNumber, at: Instant)]
    private let reaches: (DayNumber) throws -> Void
    private let opens: (UUID, DayNumber) throws -> Bool

    /// - Parameters:
    ///   - localDays: today and tomorrow.
    ///   - earlierDays: the days before them, asked for when an event needs them.
    ///   - reaches: takes the first event of a later local day than any before.
    ///   - opens: takes an open of an intention on a local day; false: the user has no such intention.
    init(
        device: FocusDeviceState, usage: FocusUsageState, sync: SyncTime, limits: IntakeLimits,
        localDays: FocusLocalDays, reachedOn: DayNumber?,
        earlierDays: @escaping () throws -> [(day: DayNumber, at: Instant)],
        reaches: @escaping (DayNumber) throws -> Void, opens: @escaping (UUID, DayNumber) throws -> Bool
    ) {
        self.device = device
        before = device.intake.lastTime.map { FocusStoredEvent(seq: device.keptSeq, at: $0) }
        self.usage = usage
        self.sync = sync
        self.limits = limits
        self.localDays = localDays
        self.reachedOn = reachedOn
        self.earlierDays = earlierDays
        self.reaches = reaches
        self.opens = opens
    }

    mutating func take(_ events: [FocusSyncRequest.Event]) throws {
        for event in events {
            switch device.intake.take(seq: event.seq, reported: event.time, sync: sync, limits: limits) {
            case .duplicate: continue
            case .rejected(let reason): rejected.append(Rejection(seq: event.seq, reason: reason))
            case .timed(let time): try take(event, at: time)
            }
        }
        device.syncedAt = sync.receivedAt
        device.health = device.health.afterSync(
            wasVerified: device.verifiedAt != nil, lastUnlockAt: device.lastUnlockAt,
            broughtUnlock: !unlocks.isEmpty, now: sync.receivedAt)
    }

    private mutating func take(_ event: FocusSyncRequest.Event, at time: Instant) throws {
        if time < localDays.first { localDays.add(try earlierDays()) }
        let day = localDays.day(of: time)
        guard let content = try content(of: event, at: time, on: day) else { return }
        try reach(day)
        device.intake.accept(at: time)
        device.keptSeq = event.seq
        if time != event.time.at { correctedCount += 1 }
        kept.append(FocusEvent(seq: event.seq, at: time, day: day, content: content))
    }

    private mutating func reach(_ day: DayNumber) throws {
        if let reachedOn, day <= reachedOn { return }
        reachedOn = day
        try reaches(day)
    }

    /// nil if the event is rejected.
    private mutating func content(
        of event: FocusSyncRequest.Event, at time: Instant, on day: DayNumber
    ) throws -> FocusEvent.Content? {
        switch event.content {
        case .lock(let source): return .lock(source)
        case .unlock(let source):
            let verifies = device.setUp.takeUnlock(source, at: time, receivedAt: sync.receivedAt)
            if verifies {
                device.verify(at: time, countingFrom: event.seq)
                hasVerified = true
            }
            device.lastUnlockAt = max(time, device.lastUnlockAt ?? time)
            unlocks.append(time)
            return .unlock(source, verifies: verifies)
        case .open(let intention):
            guard try opens(intention, day) else {
                rejected.append(Rejection(seq: event.seq, reason: .unknownIntention))
                return nil
            }
            return .open(intention: place(of: intention))
        case .usage(let reported, let minutes, let isFinal):
            if let reason = ScreenTimeDays.rejection(of: reported, eventDay: day) {
                rejected.append(Rejection(seq: event.seq, reason: reason))
                return nil
            }
            let result = usage.take(reported, minutes: minutes, isFinal: isFinal, eventDay: day)
            if let counted = result.counted { reports[counted.day] = counted.minutes }
            closed += result.closed
            return .usage(day: reported, minutes: minutes, isFinal: isFinal)
        }
    }

    private mutating func place(of intention: UUID) -> Int {
        if let place = intentions.firstIndex(of: intention) { return place }
        intentions.append(intention)
        return intentions.count - 1
    }
}
