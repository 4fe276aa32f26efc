import FocusAPI
import CivilTime
import DaylyAPI
import DeviceIntake
import FocusRules
import Foundation
import HTTPKit
import Postgres

/// A sync as the phone sends it, checked for its form.
struct FocusSyncRequest: Sendable {
    enum Content: Sendable {
        case lock(LockSource)
        case unlock(UnlockSource)
        case open(UUID)
        case usage(day: DayNumber, minutes: Int, isFinal: Bool)
    }

    struct Event: Sendable {
        let seq: Int
        let time: ReportedTime
        let content: Content
    }

    static let maxEvents = 500
    static let maxBytes = 256 << 10
    private static let maxSeq = 1 << 53 - 1

    /// nil: the text is not an id.
    let device: UUID?
    let clientTime: Instant
    let uptime: Uptime?
    let events: [Event]
    let cursor: String?
}

extension FocusSyncRequest {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusSync) throws(Problem) {
        guard body.events.count <= Self.maxEvents else {
            throw .invalidRequest(pointer: "/events", detail: "must have at most \(Self.maxEvents) events")
        }
        var events: [Event] = []
        events.reserveCapacity(body.events.count)
        for (index, event) in body.events.enumerated() {
            let pointer = "/events/\(index)"
            guard (1...Self.maxSeq).contains(event.seq), event.seq > events.last?.seq ?? 0 else {
                throw .invalidRequest(pointer: "\(pointer)/seq", detail: "must rise, from 1")
            }
            let uptime = try Self.uptime(event.bootID, event.uptime, at: pointer)
            events.append(
                Event(
                    seq: event.seq, time: ReportedTime(at: event.at.instant, uptime: uptime),
                    content: try Self.content(of: event, at: pointer)))
        }
        self.init(
            device: body.deviceID.utf8.count == 36 ? UUID(uuidString: body.deviceID) : nil,
            clientTime: body.clientTime.instant,
            uptime: try Self.uptime(body.bootID, body.uptime, at: ""), events: events, cursor: body.cursor)
    }

    private static func uptime(
        _ boot: String?, _ seconds: Int?, at pointer: String
    ) throws(Problem) -> Uptime? {
        if let boot, !(1...64).contains(boot.utf8.count) || !boot.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) {
            throw .invalidRequest(
                pointer: "\(pointer)/boot_id", detail: "must be 1 to 64 visible ASCII characters")
        }
        if let seconds, seconds < 0 {
            throw .invalidRequest(pointer: "\(pointer)/uptime", detail: "must not be negative")
        }
        switch (boot, seconds) {
        case (let boot?, let seconds?): return Uptime(bootID: boot, seconds: seconds)
        case (nil, nil): return nil
        case (nil, _):
            throw .invalidRequest(
                pointer: "\(pointer)/boot_id", detail: "boot_id and uptime come together")
        case (_, nil):
            throw .invalidRequest(
                pointer: "\(pointer)/uptime", detail: "boot_id and uptime come together")
        }
    }

    private static func content(of event: FocusSyncEvent, at pointer: String) throws(Problem) -> Content {
        switch event.kind {
        case "lock":
            guard let source = event.source.flatMap(LockSource.init) else {
                throw .invalidRequest(pointer: "\(pointer)/source", detail: "must be automatic or manual")
            }
            return .lock(source)
        case "unlock":
            guard let source = event.source.flatMap(UnlockSource.init) else {
                throw .invalidRequest(
                    pointer: "\(pointer)/source",
                    detail: "must be automatic, shortcut, manual, install or verification")
            }
            return .unlock(source)
        case "open":
            guard let intention = event.intentionID else {
                throw .invalidRequest(pointer: "\(pointer)/intention_id", detail: "This member is required.")
            }
            return .open(intention.uuid)
        case "usage": return try usage(of: event, at: pointer)
        default:
            throw .invalidRequest(pointer: "\(pointer)/kind", detail: "must be lock, unlock, open or usage")
        }
    }

    private static func usage(of event: FocusSyncEvent, at pointer: String) throws(Problem) -> Content {
        guard let text = event.day, text.utf8.count == 10, let day = CivilDate(text) else {
            throw .invalidRequest(pointer: "\(pointer)/day", detail: "must be a day such as 2026-03-02")
        }
        guard let minutes = event.minutes, (0...1_440).contains(minutes) else {
            throw .invalidRequest(pointer: "\(pointer)/minutes", detail: "must be 0 to 1440")
        }
        return .usage(day: day.daysSince1970, minutes: minutes, isFinal: event.final ?? false)
    }
}
