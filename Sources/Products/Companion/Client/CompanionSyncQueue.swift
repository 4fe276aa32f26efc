import CompanionAPI
import DaylyAPI
import DaylyClient
import Foundation
import PhoneClient

/// The events of this phone, on their way to Companion.
public typealias CompanionSyncQueue = PhoneQueue<CompanionPhoneEvent, Never, CompanionSynced>

/// The service's answer to a sync.
public struct CompanionSynced: Sendable {
    /// An event that the service did not take. It is not sent again, and counts as no event.
    public struct Rejected: Sendable, Equatable {
        /// The number that `CompanionSyncQueue.record(_:at:uptime:)` gave it.
        public let seq: Int
        /// `too_many`, `bad_clock`, `too_old`, `unknown_day`, `locked`, `window_open` or `not_shielded`.
        public let reason: String
    }

    /// The running day after the sync.
    public let day: CompanionDay
    public let serverTime: Date
    public let rejected: [Rejected]
}

/// The messages of Companion's phones.
package enum CompanionPhones: PhoneSyncProduct {
    package typealias Event = CompanionPhoneEvent

    package static let operation = Operation.syncCompanion
    package static let notJoined = ProblemCode.companionNotJoined

    package static func request(_ sync: PhoneSync<CompanionSyncEvent>) -> CompanionSync {
        CompanionSync(
            deviceID: sync.deviceID, clientTime: sync.clientTime, bootID: sync.uptime?.bootID,
            uptime: sync.uptime?.seconds, events: sync.events)
    }

    package static func received(_ answer: CompanionSyncAnswer) -> PhoneSyncReceived<Never, CompanionSynced> {
        PhoneSyncReceived(
            acknowledged: answer.acknowledged, serverTime: answer.serverTime,
            synced: CompanionSynced(
                day: answer.day, serverTime: answer.serverTime,
                rejected: answer.rejected.map { .init(seq: $0.seq, reason: $0.reason) }))
    }
}
