import DeviceIntake
import FocusRules
import Foundation

/// The last event of a phone that is stored.
struct FocusStoredEvent: Sendable {
    let seq: Int
    let at: Instant
}

extension FocusEventAddition {
    /// Packs events after those that are stored.
    ///
    /// - Parameters:
    ///   - day: the UTC day of the events.
    ///   - last: the phone's last event that is stored, of any day.
    ///   - intentions: the intentions that the events name by their place.
    ///   - known: the intentions of the day that are stored.
    init?(
        day: DayNumber, _ events: [FocusEvent], after last: FocusStoredEvent?, naming intentions: [UUID],
        known: [UUID]
    ) {
        guard let first = events.first, let end = events.last else { return nil }
        var all = known
        var renamed: [FocusEvent] = []
        for event in events {
            guard case .open(let place) = event.content else {
                renamed.append(event)
                continue
            }
            let known = all.firstIndex(of: intentions[place]) ?? all.count
            if known == all.count { all.append(intentions[place]) }
            renamed.append(
                FocusEvent(
                    seq: event.seq, at: event.at, day: event.day, content: .open(intention: known)))
        }
        let previous = last.flatMap { utcDay(of: $0.at) == day ? $0 : nil }
        let packed = EventPacking.packed(
            renamed, day: day, afterSeq: previous?.seq ?? first.seq - 1,
            at: previous?.at ?? day * secondsPerDay)
        self.init(
            day: day, firstSeq: first.seq, lastSeq: end.seq, packed: packed,
            intentions: all.count > known.count ? all : [])
    }
}
