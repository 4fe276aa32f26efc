import DeviceIntake

/// The events of a device on one UTC day as bytes: two to four for a lock or an unlock.
///
/// The bytes of later events are simply appended to those of earlier ones, so a sync writes
/// `events = events || $1`. Beside the bytes the row keeps the `seq` of its first event and the list of the intentions
/// that its opens name by their place.
///
/// An event begins with a byte of kind (four bits), length of the time that follows (two bits) and day (two bits). Then
/// follow the seconds since the event before, or since the beginning of the UTC day.
package enum EventPacking {
    /// - Parameters:
    ///   - day: the UTC day of all these events.
    ///   - seq: the `seq` of the event before them; for the row's first event one less than its own.
    ///   - at: the time of the event before them; any time before the day for the row's first event.
    package static func packed(
        _ events: some Sequence<FocusEvent>, day: DayNumber, afterSeq seq: Int, at: Instant
    ) -> [UInt8] {
        var bytes = BytePacker()
        var previous = (seq: seq, at: max(at, day * secondsPerDay))
        for event in events {
            bytes.write(event, utcDay: day, after: previous)
            previous = (event.seq, event.at)
        }
        return bytes.bytes
    }

    /// The events of a row, or nil if the bytes are not of this form.
    package static func unpacked(
        _ packed: some Sequence<UInt8>, day: DayNumber, firstSeq: Int
    ) -> [FocusEvent]? {
        var bytes = ByteReader(packed)
        var events: [FocusEvent] = []
        var previous = (seq: firstSeq - 1, at: day * secondsPerDay)
        while !bytes.isAtEnd {
            guard let event = bytes.event(utcDay: day, after: previous) else { return nil }
            events.append(event)
            previous = (event.seq, event.at)
        }
        return events
    }
}

/// The kinds of packed events. Their numbers are stored: none ever changes its meaning.
private enum PackedKind: UInt8 {
    case lockAutomatic, lockManual
    case unlockAutomatic, unlockShortcut, unlockManual, unlockInstall, unlockVerification
    case verifyingShortcut, verifyingVerification
    case open, usage, finalUsage
    /// Numbers of events that the phone left out stand before an event that does not follow the one before it.
    case gap

    init(_ content: FocusEvent.Content) {
        switch content {
        case .lock(.automatic): self = .lockAutomatic
        case .lock(.manual): self = .lockManual
        case .unlock(.shortcut, verifies: true): self = .verifyingShortcut
        case .unlock(.verification, verifies: true): self = .verifyingVerification
        case .unlock(.automatic, _): self = .unlockAutomatic
        case .unlock(.shortcut, _): self = .unlockShortcut
        case .unlock(.manual, _): self = .unlockManual
        case .unlock(.install, _): self = .unlockInstall
        case .unlock(.verification, _): self = .unlockVerification
        case .open: self = .open
        case .usage(_, _, isFinal: false): self = .usage
        case .usage(_, _, isFinal: true): self = .finalUsage
        }
    }
}

/// The days of usage reports lie at most seven days before the event's day.
private let minutesBits = 11

extension BytePacker {
    fileprivate mutating func write(
        _ event: FocusEvent, utcDay: DayNumber, after previous: (seq: Int, at: Int)
    ) {
        let gap = event.seq - previous.seq - 1
        if gap > 0 {
            write(byte: PackedKind.gap.rawValue)
            write(UInt64(gap))
        }
        let seconds = event.at - previous.at
        let length = seconds == 0 ? 0 : seconds < 1 << 8 ? 1 : seconds < 1 << 16 ? 2 : 3
        let days = event.day - utcDay
        let dayCode = (-1...1).contains(days) ? UInt8(truncatingIfNeeded: days) & 3 : 2
        write(byte: PackedKind(event.content).rawValue | UInt8(length) << 4 | dayCode << 6)
        write(seconds, bytes: length)
        if dayCode == 2 { write(signed: days) }
        write(event.content, day: event.day)
    }

    private mutating func write(_ content: FocusEvent.Content, day: DayNumber) {
        switch content {
        case .lock, .unlock: break
        case .open(let intention): write(UInt64(intention))
        case .usage(let reported, let minutes, _):
            write((day - reported) << minutesBits | minutes, bytes: 2)
        }
    }
}

extension ByteReader {
    fileprivate mutating func event(utcDay: DayNumber, after previous: (seq: Int, at: Int)) -> FocusEvent? {
        guard var head = byte() else { return nil }
        var seq = previous.seq + 1
        if head == PackedKind.gap.rawValue {
            guard let gap = unsigned(), gap < 1 << 53, let next = byte() else { return nil }
            seq += Int(gap)
            head = next
        }
        guard let kind = PackedKind(rawValue: head & 15), let seconds = number(bytes: Int(head >> 4 & 3)),
            let days = head >> 6 == 2 ? signed() : Int(Int8(bitPattern: head & 0xc0) >> 6)
        else { return nil }
        guard let content = content(of: kind, day: utcDay + days) else { return nil }
        return FocusEvent(seq: seq, at: previous.at + seconds, day: utcDay + days, content: content)
    }

    private mutating func content(of kind: PackedKind, day: DayNumber) -> FocusEvent.Content? {
        switch kind {
        case .lockAutomatic: .lock(.automatic)
        case .lockManual: .lock(.manual)
        case .unlockAutomatic: .unlock(.automatic, verifies: false)
        case .unlockShortcut: .unlock(.shortcut, verifies: false)
        case .unlockManual: .unlock(.manual, verifies: false)
        case .unlockInstall: .unlock(.install, verifies: false)
        case .unlockVerification: .unlock(.verification, verifies: false)
        case .verifyingShortcut: .unlock(.shortcut, verifies: true)
        case .verifyingVerification: .unlock(.verification, verifies: true)
        case .open: count(below: 1 << 16).map { .open(intention: $0) }
        case .usage: usage(day: day, isFinal: false)
        case .finalUsage: usage(day: day, isFinal: true)
        case .gap: nil
        }
    }

    private mutating func count(below limit: UInt64) -> Int? {
        guard let number = unsigned(), number < limit else { return nil }
        return Int(number)
    }

    private mutating func usage(day: DayNumber, isFinal: Bool) -> FocusEvent.Content? {
        guard let number = number(bytes: 2) else { return nil }
        let minutes = number & (1 << minutesBits - 1)
        return .usage(day: day - number >> minutesBits, minutes: minutes, isFinal: isFinal)
    }
}
