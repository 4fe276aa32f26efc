import CivilTime
import DeviceIntake
import Foundation
import HTTPKit

/// The events of a phone as it sends them, checked for their form.
package struct EventReport<Content: Sendable>: Sendable {
    package struct Event: Sendable {
        package let seq: Int
        package let time: ReportedTime
        package let content: Content

        package init(seq: Int, time: ReportedTime, content: Content) {
            self.seq = seq
            self.time = time
            self.content = content
        }
    }

    package let clientTime: Instant
    package let uptime: Uptime?
    package let events: [Event]

    package init(clientTime: Instant, uptime: Uptime?, events: [Event]) {
        self.clientTime = clientTime
        self.uptime = uptime
        self.events = events
    }

    package func syncTime(receivedAt: Instant) -> SyncTime {
        SyncTime(receivedAt: receivedAt, clientTime: clientTime, uptime: uptime)
    }
}

/// The bounds of a report.
package enum EventReportLimits {
    package static let events = 500
    package static let bytes = 256 << 10
    /// All programs can count to it.
    fileprivate static let number = 1 << 53 - 1
}

extension EventReport {
    /// - Parameter content: what an event says, whose pointer it gets.
    /// - Throws: 400 that points at the faulty member.
    package init<Body: SyncBody>(
        _ body: Body, content: (Body.Event, String) throws(Problem) -> Content
    ) throws(Problem) {
        let limit = EventReportLimits.events
        guard body.events.count <= limit else {
            throw .invalidRequest(pointer: "/events", detail: "must have at most \(limit) events")
        }
        var events: [Event] = []
        events.reserveCapacity(body.events.count)
        for (index, event) in body.events.enumerated() {
            let pointer = "/events/\(index)"
            guard (1...EventReportLimits.number).contains(event.seq), event.seq > events.last?.seq ?? 0 else {
                throw .invalidRequest(pointer: "\(pointer)/seq", detail: "must rise, from 1")
            }
            let uptime = try Uptime.checked(event.bootID, event.uptime, at: pointer)
            events.append(
                Event(
                    seq: event.seq, time: ReportedTime(at: event.at.instant, uptime: uptime),
                    content: try content(event, pointer)))
        }
        self.init(
            clientTime: body.clientTime.instant,
            uptime: try Uptime.checked(body.bootID, body.uptime, at: ""), events: events)
    }
}

extension Uptime {
    fileprivate static func checked(
        _ boot: String?, _ seconds: Int?, at pointer: String
    ) throws(Problem) -> Uptime? {
        if let boot, !(1...64).contains(boot.utf8.count) || !boot.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) {
            throw .invalidRequest(
                pointer: "\(pointer)/boot_id", detail: "must be 1 to 64 visible ASCII characters")
        }
        if let seconds, !(0...EventReportLimits.number).contains(seconds) {
            throw .invalidRequest(pointer: "\(pointer)/uptime", detail: "must be 0 to 2^53 - 1")
        }
        if let boot, let seconds { return Uptime(bootID: boot, seconds: seconds) }
        guard boot == nil, seconds == nil else {
            let missing = boot == nil ? "boot_id" : "uptime"
            throw .invalidRequest(
                pointer: "\(pointer)/\(missing)", detail: "boot_id and uptime come together")
        }
        return nil
    }
}

/// The minutes of use of a day so far.
package struct UsageReport: Sendable {
    package let day: DayNumber
    package let minutes: Int
    package let isFinal: Bool

    /// - Throws: 400 that points at the faulty member.
    package init(
        _ event: some SyncBodyEvent, at pointer: String, maxMinutes: Int
    ) throws(Problem) {
        guard let day = event.day.flatMap({ CivilDate.dayNumber($0) }) else {
            throw .invalidRequest(pointer: "\(pointer)/day", detail: "must be a day such as 2026-03-02")
        }
        guard let minutes = event.minutes, (0...maxMinutes).contains(minutes) else {
            throw .invalidRequest(pointer: "\(pointer)/minutes", detail: "must be 0 to \(maxMinutes)")
        }
        self.day = day
        self.minutes = minutes
        isFinal = event.final ?? false
    }
}
