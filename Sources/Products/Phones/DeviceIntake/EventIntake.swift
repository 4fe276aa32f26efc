/// The state of a device that decides about its next events: its row keeps it from sync to sync.
///
/// Each event goes through ``take(seq:reported:sync:limits:)`` and, unless the product refuses it for a reason of its
/// own, through ``accept(at:)``. A refused event is acknowledged like any other, so that no phone sends it for ever.
package struct EventIntake: Hashable, Sendable {
    /// The greatest `seq` that the device has sent: the phone may forget all events up to it. 0 before the first.
    package private(set) var acknowledged: Int
    /// The time of the last accepted event. Time never runs back within a device.
    package private(set) var lastTime: Instant?
    /// The UTC day whose new events `countOfDay` counts.
    package private(set) var countedDay: DayNumber
    package private(set) var countOfDay: Int

    package init(
        acknowledged: Int = 0, lastTime: Instant? = nil, countedDay: DayNumber = 0, countOfDay: Int = 0
    ) {
        self.acknowledged = acknowledged
        self.lastTime = lastTime
        self.countedDay = countedDay
        self.countOfDay = countOfDay
    }

    /// Judges an event by its number and its time, and acknowledges it.
    package mutating func take(
        seq: Int, reported: ReportedTime, sync: SyncTime, limits: IntakeLimits
    ) -> IntakeOutcome {
        guard seq > acknowledged else { return .duplicate }
        acknowledged = seq
        count(on: utcDay(of: sync.receivedAt))
        if let most = limits.eventsPerDay, countOfDay > most { return .rejected(.tooMany) }
        switch sync.time(of: reported, maxAge: limits.maxAge) {
        case .failure(let reason): return .rejected(reason)
        case .success(let time): return .timed(max(time, lastTime ?? time))
        }
    }

    /// Notes the time of an event that ``take(seq:reported:sync:limits:)`` has timed and that no other rule refuses.
    package mutating func accept(at time: Instant) {
        lastTime = max(time, lastTime ?? time)
    }

    private mutating func count(on day: DayNumber) {
        if day != countedDay {
            countedDay = day
            countOfDay = 0
        }
        countOfDay += 1
    }
}

package struct IntakeLimits: Hashable, Sendable {
    /// The greatest age of an event in seconds.
    package let maxAge: Int
    /// New events of one device on one UTC day, none if it is below 1; nil: any number.
    package let eventsPerDay: Int?

    package init(maxAge: Int, eventsPerDay: Int?) {
        self.maxAge = maxAge
        self.eventsPerDay = eventsPerDay
    }
}

package enum IntakeOutcome: Hashable, Sendable {
    /// The event has come before.
    case duplicate
    case rejected(RejectionReason)
    /// The time at which the event happened.
    case timed(Instant)
}
