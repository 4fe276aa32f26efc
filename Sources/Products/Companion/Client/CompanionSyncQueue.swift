import PhoneClient
import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Sends the events of this phone, in their order and each once, whatever happens to the network, the app and the device.
///
/// An event is on the disk when ``record(_:at:uptime:)`` returns, and stays there until the service has acknowledged it. One
/// process syncs at a time; an extension may record events while the app syncs.
public struct CompanionSyncQueue: Sendable {
    private let queue: PhoneSyncQueue<CompanionPhones>

    /// - Parameters:
    ///   - uptime: the phone's uptime now; nil where it cannot be told.
    ///   - onStep: called after each step on the disk, for tests that end the process there.
    ///   - user: the signed-in user; nil when nobody is. It throws while the device does not let anybody know.
    package init(
        folder: URL, requests: RequestBuilder, authorized: any AuthorizedTransport,
        clock: any ClientClock = SystemClock(), uptime: @escaping @Sendable () -> PhoneUptime? = { nil },
        onStep: @escaping @Sendable (String) -> Void = { _ in },
        user: @escaping @Sendable () async throws(DaylyError) -> ResourceID?
    ) {
        queue = PhoneSyncQueue(
            folder: folder, requests: requests, authorized: authorized, clock: clock, uptime: uptime,
            onStep: onStep, user: user)
    }

    /// The id of this phone. It is made at the first call, and is another one after a sign-out. The first sync registers it.
    public func device() async throws(DaylyError) -> ResourceID {
        try await queue.device()
    }

    /// Keeps an event, and sends it.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - at: when, by the phone's clock; now unless given.
    ///   - uptime: the phone's uptime then. For an event of now the repository's `uptime` tells it.
    /// - Returns: the event's number, by which the service rejects it if it must.
    /// - Throws: `DaylyError.storageFailed` when the event could not be kept; `invalid_request` as a problem for a day
    ///   that is none.
    @discardableResult
    public func record(
        _ event: CompanionPhoneEvent, at: Date? = nil, uptime: PhoneUptime? = nil
    ) async throws(DaylyError) -> Int {
        try await queue.record(event, at: at, uptime: uptime)
    }

    /// The state of the queue now and after each change.
    public var statuses: AsyncStream<PhoneSyncStatus> { queue.statuses }

    /// Each answer from now on.
    public var answers: AsyncStream<CompanionSynced> { queue.answers }

    /// Syncs now. Apps call it at launch, when they come to the foreground, and when the system lets them work in the
    /// background.
    public func resume() async {
        await queue.resume()
    }

    /// Begins again after `PhoneSyncStatus.State.stopped(_:)`, when its reason is gone. Joining and removing a phone by
    /// ``CompanionRepository`` do it by themselves.
    public func restart() async {
        await queue.restart()
    }

    /// Returns when no sync is under way. An app that the system woke in the background waits for it.
    public func settle() async {
        await queue.settle()
    }

    /// Forgets everything. It does not wait for a sync that is running: the sync may be the one that noticed the end of the
    /// session, and waits for this.
    public func clear() async {
        await queue.clear()
    }

    /// Forgets everything of a user, whose session has ended.
    func clear(of user: ResourceID) async {
        await queue.clear(of: user)
    }

    /// After a sign-in: sends what the ended session could not.
    func signedIn() async {
        await queue.signedIn()
    }
}

/// The service's answer to a sync.
public struct CompanionSynced: Sendable {
    /// An event that the service did not take. It is not sent again, and counts as no event.
    public struct Rejected: Sendable, Equatable {
        /// The number that ``CompanionSyncQueue/record(_:at:uptime:)`` gave it.
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
enum CompanionPhones: PhoneSyncProduct {
    typealias Event = CompanionPhoneEvent

    static let operation = Operation.syncCompanion

    static func request(_ sync: PhoneSync<CompanionSyncEvent>) -> CompanionSync {
        CompanionSync(
            deviceID: sync.deviceID, clientTime: sync.clientTime, bootID: sync.uptime?.bootID,
            uptime: sync.uptime?.seconds, events: sync.events)
    }

    static func received(_ answer: CompanionSyncAnswer) -> PhoneSyncReceived<Never, CompanionSynced> {
        PhoneSyncReceived(
            acknowledged: answer.acknowledged, serverTime: answer.serverTime,
            synced: CompanionSynced(
                day: answer.day, serverTime: answer.serverTime,
                rejected: answer.rejected.map { .init(seq: $0.seq, reason: $0.reason) }))
    }
}
