/// The arrival of a phone's events, with the phone's own clocks at the time of sending.
package struct SyncTime: Hashable, Sendable {
    /// The service's time.
    package let receivedAt: Instant
    /// The phone's time, which its owner may have set to anything.
    package let clientTime: Instant
    /// The phone's uptime, if the phone can tell it.
    package let uptime: Uptime?

    package init(receivedAt: Instant, clientTime: Instant, uptime: Uptime? = nil) {
        self.receivedAt = receivedAt
        self.clientTime = clientTime
        self.uptime = uptime
    }
}

/// Seconds since the phone was started. Uptimes of different starts cannot be compared.
package struct Uptime: Hashable, Sendable {
    package let bootID: String
    package let seconds: Int

    package init(bootID: String, seconds: Int) {
        self.bootID = bootID
        self.seconds = seconds
    }
}

/// The time of an event as the phone reports it.
package struct ReportedTime: Hashable, Sendable {
    package let at: Instant
    package let uptime: Uptime?

    package init(at: Instant, uptime: Uptime? = nil) {
        self.at = at
        self.uptime = uptime
    }
}

extension SyncTime {
    /// A phone's clock is trusted up to this difference from the service's clock.
    private static var tolerance: Int { 60 }

    /// The time of an event, without a look at the device's other events, or the reason for its rejection.
    ///
    /// Where the phone tells its uptime, the clock does not matter: the event is as old as the uptimes say. Otherwise
    /// the difference between the two clocks at the arrival is taken off.
    /// - Parameter maxAge: the age in seconds from which on an event is too old, that age itself excluded.
    package func time(of event: ReportedTime, maxAge: Int) -> Result<Instant, RejectionReason> {
        var time: Instant
        if let sent = uptime, let happened = event.uptime, sent.bootID == happened.bootID {
            guard happened.seconds <= sent.seconds else { return .failure(.badClock) }
            time = receivedAt - (sent.seconds - happened.seconds)
        } else {
            let error = receivedAt - clientTime
            time = abs(error) <= Self.tolerance ? event.at : event.at + error
        }
        if time > receivedAt + Self.tolerance { time = receivedAt }
        return time < receivedAt - maxAge ? .failure(.tooOld) : .success(time)
    }
}
