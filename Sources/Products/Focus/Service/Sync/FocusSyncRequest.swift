import DaylyAPI
import DeviceIntake
import FocusAPI
import FocusRules
import Foundation
import HTTPKit
import PhoneService

/// A sync as the phone sends it, checked for its form.
struct FocusSyncRequest: Sendable {
    enum Content: Sendable {
        case lock(LockSource)
        case unlock(UnlockSource)
        case open(UUID)
        case usage(day: DayNumber, minutes: Int, isFinal: Bool)
    }

    typealias Event = EventReport<Content>.Event

    /// nil: the text is not an id.
    let device: UUID?
    let report: EventReport<Content>
    let cursor: String?

    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusSync) throws(Problem) {
        device = body.deviceID.utf8.count == 36 ? UUID(uuidString: body.deviceID) : nil
        report = try EventReport(body, content: Content.init)
        cursor = body.cursor
    }
}

extension FocusSync: SyncBody {}
extension FocusSyncEvent: SyncBodyEvent {}

extension FocusSyncRequest.Content {
    fileprivate init(_ event: FocusSyncEvent, at pointer: String) throws(Problem) {
        switch event.kind {
        case "lock":
            guard let source = event.source.flatMap(LockSource.init) else {
                throw .invalidRequest(pointer: "\(pointer)/source", detail: "must be automatic or manual")
            }
            self = .lock(source)
        case "unlock":
            guard let source = event.source.flatMap(UnlockSource.init) else {
                throw .invalidRequest(
                    pointer: "\(pointer)/source",
                    detail: "must be automatic, shortcut, manual, install or verification")
            }
            self = .unlock(source)
        case "open":
            guard let intention = event.intentionID else {
                throw .invalidRequest(pointer: "\(pointer)/intention_id", detail: "This member is required.")
            }
            self = .open(intention.uuid)
        case "usage":
            let usage = try UsageReport(event, at: pointer, maxMinutes: 1_440)
            self = .usage(day: usage.day, minutes: usage.minutes, isFinal: usage.isFinal)
        default:
            throw .invalidRequest(pointer: "\(pointer)/kind", detail: "must be lock, unlock, open or usage")
        }
    }
}
