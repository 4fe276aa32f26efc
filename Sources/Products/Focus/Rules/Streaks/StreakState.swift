import DeviceIntake

/// The devices of a user after some events, and the beginning of the streak that may run.
///
/// Each device is in use, locked or unknown; the unknown ones are left out. A device does not stay in use for ever: after
/// the hold it counts as locked, or after a day it is unknown. These changes need no event and are caught up with when
/// the next event comes.
struct StreakState: Hashable, Sendable {
    struct Device: Hashable, Sendable {
        let number: DeviceNumber
        /// The first instant that sees the device changed by time alone; `locked` if the device is locked.
        var changes: Instant
        /// Time alone locks the device. Otherwise it makes it unknown, one second before it is seen.
        var isHeld: Bool
    }

    static let locked = Int.max
    static let secondsInUse = 86_400

    var devices: [Device] = []
    /// The latest instant at which a device was locked, was taken as locked, became unknown by time, or was deleted while
    /// in use.
    var began: Instant = 0
    /// Some device was taken as locked at `began`.
    var isEstimated = false
    /// The earliest of the devices' changes; `locked` if no device is in use.
    var nextChange = StreakState.locked

    var isRunning: Bool { nextChange == Self.locked && !devices.isEmpty }

    /// Takes the next event, and returns the streak with points that it ends.
    /// - Parameter hold: the seconds after which a held unlock counts as a lock.
    mutating func take(_ event: StreakEvent, hold: Int) -> Streak? {
        if event.at >= nextChange { pass(to: event.at) }
        switch event.effect {
        case .lock:
            lock(event.device, at: event.at)
            return nil
        case .deletion:
            delete(event.device, at: event.at)
            return nil
        case .unlock, .heldUnlock, .verifyingUnlock:
            let ended = event.effect == .verifyingUnlock ? nil : streak(endedBy: event)
            let isHeld = event.effect != .unlock
            use(
                event.device, until: event.at + (isHeld ? hold : Self.secondsInUse + 1), isHeld: isHeld)
            return ended
        }
    }

    /// The changes that time alone brings up to an instant, that instant included.
    mutating func pass(to now: Instant) {
        guard now >= nextChange else { return }
        var index = 0
        while index < devices.count {
            let device = devices[index]
            guard device.changes <= now, device.changes != Self.locked else {
                index += 1
                continue
            }
            if device.isHeld {
                begin(at: device.changes, isEstimated: true)
                devices[index] = Device(number: device.number, changes: Self.locked, isHeld: false)
                index += 1
            } else {
                begin(at: device.changes - 1, isEstimated: false)
                devices.remove(at: index)
            }
        }
        findNextChange()
    }

    private func streak(endedBy event: StreakEvent) -> Streak? {
        guard isRunning, event.at - began > Streak.worthlessSeconds else { return nil }
        return Streak(began: began, ended: event.at, day: event.day, isEstimated: isEstimated)
    }

    private mutating func lock(_ number: DeviceNumber, at: Instant) {
        guard let index = devices.firstIndex(where: { $0.number == number }) else {
            devices.append(Device(number: number, changes: Self.locked, isHeld: false))
            begin(at: at, isEstimated: false)
            return
        }
        guard devices[index].changes != Self.locked else { return }
        devices[index] = Device(number: number, changes: Self.locked, isHeld: false)
        begin(at: at, isEstimated: false)
        findNextChange()
    }

    private mutating func use(_ number: DeviceNumber, until changes: Instant, isHeld: Bool) {
        if let index = devices.firstIndex(where: { $0.number == number }) {
            devices[index].changes = changes
            devices[index].isHeld = isHeld
        } else {
            devices.append(Device(number: number, changes: changes, isHeld: isHeld))
        }
        findNextChange()
    }

    private mutating func delete(_ number: DeviceNumber, at: Instant) {
        guard let index = devices.firstIndex(where: { $0.number == number }) else { return }
        if devices[index].changes != Self.locked { begin(at: at, isEstimated: false) }
        devices.remove(at: index)
        findNextChange()
    }

    private mutating func begin(at: Instant, isEstimated estimated: Bool) {
        if at > began {
            began = at
            isEstimated = estimated
        } else if at == began {
            isEstimated = isEstimated || estimated
        }
    }

    mutating func findNextChange() {
        nextChange = Self.locked
        for device in devices { nextChange = min(nextChange, device.changes) }
    }
}
