import CompanionAPI
import CompanionRules
import DaylyAPI
import Foundation
import HTTPKit
import PhoneService

/// A sync as the phone sends it, checked for its form.
struct CompanionSyncRequest: Sendable {
    enum Content: Sendable {
        case bypass
        case reshield
        case open
        case usage(day: DayNumber, minutes: Int, isFinal: Bool)
    }

    typealias Event = EventReport<Content>.Event

    let device: UUID
    let report: EventReport<Content>
}

extension CompanionSyncRequest {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: CompanionSync) throws(Problem) {
        self.init(device: body.deviceID.uuid, report: try EventReport(body, content: Content.init))
    }
}

extension CompanionSync: SyncBody {}
extension CompanionSyncEvent: SyncBodyEvent {}

extension CompanionSyncRequest.Content {
    fileprivate init(_ event: CompanionSyncEvent, at pointer: String) throws(Problem) {
        switch CompanionEventKind(rawValue: event.kind) {
        case .bypass: self = .bypass
        case .reshield: self = .reshield
        case .open: self = .open
        case .usage:
            let usage = try UsageReport(event, at: pointer, maxMinutes: 3_600)
            self = .usage(day: usage.day, minutes: usage.minutes, isFinal: usage.isFinal)
        case nil:
            throw .invalidRequest(
                pointer: "\(pointer)/kind", detail: "must be bypass, reshield, open or usage")
        }
    }
}
