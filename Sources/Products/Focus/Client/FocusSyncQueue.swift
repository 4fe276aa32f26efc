import DaylyAPI
import DaylyClient
import FocusAPI
import Foundation
import PhoneClient

/// The events of this phone, on their way to Focus.
public typealias FocusSyncQueue = PhoneQueue<FocusPhoneEvent, FocusOtherEvent, FocusSynced>

extension PhoneQueue where Event == FocusPhoneEvent, Other == FocusOtherEvent, Synced == FocusSynced {
    /// Gives the events of the user's other phones to the app, by phone and number, before the queue forgets that they were
    /// new. The handler may get the same events again, and those of a sync for which it throws come with the next one.
    public func receiveOthers(_ handler: @escaping OthersHandler) async {
        await giveOthers(to: handler)
    }

    /// Whether a lock is sent at once, because a temptation may wait for it, or with the next unlock.
    public func sendLocks(atOnce isAtOnce: Bool) async {
        await sendAll(atOnce: isAtOnce)
    }
}

/// The messages of Focus' phones.
package enum FocusPhones: PhoneSyncProduct {
    package typealias Event = FocusPhoneEvent

    package static let operation = Operation.syncFocus
    package static let notJoined = ProblemCode.focusNotJoined

    package static func request(_ sync: PhoneSync<FocusSyncEvent>) -> FocusSync {
        FocusSync(
            deviceID: sync.deviceID.description, clientTime: sync.clientTime, bootID: sync.uptime?.bootID,
            uptime: sync.uptime?.seconds, events: sync.events, cursor: sync.cursor)
    }

    package static func received(_ answer: FocusSyncAnswer) -> PhoneSyncReceived<FocusOtherEvent, FocusSynced>
    {
        PhoneSyncReceived(
            acknowledged: answer.acknowledged, serverTime: answer.serverTime, others: answer.others,
            cursor: answer.cursor, hasMore: answer.hasMore,
            synced: FocusSynced(
                now: answer.now, serverTime: answer.serverTime,
                rejected: answer.rejected.map { .init(seq: $0.seq, reason: $0.reason) }))
    }
}
