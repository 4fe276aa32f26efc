import DeviceIntake
import FocusRules

/// The streaks of a user as a database keeps them, and a sync as the service does it: everything is packed and unpacked on
/// the way, and a late event makes the store read the events of all devices again.
struct StreakStore {
    struct Row: Hashable {
        let device: DeviceNumber
        let day: DayNumber
    }

    private var history = StreakHistory().packed
    private var events: [Row: (firstSeq: Int, bytes: [UInt8])] = [:]
    private var last: [DeviceNumber: (seq: Int, at: Instant)] = [:]
    private var deletions: [StreakEvent] = []
    private var storedDays: [DayNumber: [UInt8]] = [:]
    /// The first `seq` of each device that counts.
    var countsFrom: [DeviceNumber: Int] = [:]
    var hold = 180
    /// The folds that needed stored events.
    private(set) var refolds = 0

    /// The last known event of a device.
    func last(of device: DeviceNumber) -> (seq: Int, at: Instant)? { last[device] }

    /// Stores the accepted events of a sync.
    mutating func sync(_ new: [FocusEvent], from device: DeviceNumber, now: Instant) throws {
        for event in new {
            let row = Row(device: device, day: utcDay(of: event.at))
            let stored = events[row] ?? (event.seq, [])
            let before = stored.bytes.isEmpty ? (seq: event.seq - 1, at: 0) : last[device] ?? (0, 0)
            let bytes = EventPacking.packed([event], day: row.day, afterSeq: before.seq, at: before.at)
            events[row] = (stored.firstSeq, stored.bytes + bytes)
            last[device] = (event.seq, event.at)
        }
        try fold(new.compactMap { counting($0, device) }, now: now)
    }

    mutating func delete(_ device: DeviceNumber, now: Instant) throws {
        let deletion = StreakEvent.deletion(of: device, at: max(now, last[device]?.at ?? now))
        deletions.append(deletion)
        try fold([deletion], now: now)
    }

    func days() throws -> [DayStreaks] {
        try storedDays.keys.sorted().map { try streaks(of: $0) }
    }

    private func counting(_ event: FocusEvent, _ device: DeviceNumber) -> StreakEvent? {
        guard let first = countsFrom[device], event.seq >= first else { return nil }
        return StreakEvent(event, device: device)
    }

    private mutating func fold(_ new: [StreakEvent], now: Instant) throws {
        guard var history = StreakHistory(packed: history) else { throw Unreadable() }
        var all = new
        if let first = history.firstDay(toFold: new) {
            all = try storedEvents(from: first)
            refolds += 1
        }
        let folded = history.fold(all, hold: hold, now: now)
        let first = folded.firstDay ?? .max
        let days = try storedDays.keys.filter { $0 >= first }.map { try streaks(of: $0) }
        for change in folded.changed(days) { storedDays[change.after.day] = change.after.packed }
        self.history = history.packed
    }

    private func streaks(of day: DayNumber) throws -> DayStreaks {
        guard let streaks = DayStreaks(day: day, packed: storedDays[day] ?? []) else { throw Unreadable() }
        return streaks
    }

    private func storedEvents(from first: DayNumber) throws -> [StreakEvent] {
        var found = deletions.filter { utcDay(of: $0.at) >= first }
        for (row, stored) in events where row.day >= first {
            guard let events = EventPacking.unpacked(stored.bytes, day: row.day, firstSeq: stored.firstSeq)
            else { throw Unreadable() }
            found += events.compactMap { counting($0, row.device) }
        }
        return found
    }

    struct Unreadable: Error {}
}
