import PhoneClient
import FocusAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Sends the events of this phone, in their order and each once, whatever happens to the network, the app and the device.
///
/// An event is on the disk when ``record(_:at:uptime:)`` returns, and stays there until the service has acknowledged it. One
/// process syncs at a time; an extension may record events while the app syncs.
public struct FocusSyncQueue: Sendable {
    /// Takes events of the user's other phones.
    public typealias OthersHandler = @Sendable ([FocusOtherEvent]) async throws -> Void

    private let queue: PhoneSyncQueue<FocusPhones>

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

    /// The id of this phone, under which the app registers it. It is made at the first call, and is another one after a
    /// sign-out.
    public func device() async throws(DaylyError) -> ResourceID {
        try await queue.device()
    }

    /// Keeps an event, and sends it when its time has come.
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
        _ event: FocusPhoneEvent, at: Date? = nil, uptime: PhoneUptime? = nil
    ) async throws(DaylyError) -> Int {
        try await queue.record(event, at: at, uptime: uptime)
    }

    /// The state of the queue now and after each change.
    public var statuses: AsyncStream<PhoneSyncStatus> { queue.statuses }

    /// Each answer from now on.
    public var answers: AsyncStream<FocusSynced> { queue.answers }

    /// Gives the events of the user's other phones to the app, by phone and number, before the queue forgets that they were
    /// new. The handler may get the same events again, and those of a sync for which it throws come with the next one.
    public func receiveOthers(_ handler: @escaping OthersHandler) async {
        await queue.receiveOthers(handler)
    }

    /// Whether a lock is sent at once, because a temptation may wait for it, or with the next unlock.
    public func sendLocks(atOnce isAtOnce: Bool) async {
        await queue.sendAll(atOnce: isAtOnce)
    }

    /// Syncs now. Apps call it at launch, when they come to the foreground, and when the system lets them work in the
    /// background.
    public func resume() async {
        await queue.resume()
    }

    /// Begins again after `PhoneSyncStatus.State.stopped(_:)`, when its reason is gone. Joining and registering by
    /// ``FocusRepository`` do it by themselves.
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

/// The messages of Focus' phones.
enum FocusPhones: PhoneSyncProduct {
    static let operation = Operation.syncFocus

    static func request(_ sync: PhoneSync<FocusSyncEvent>) -> FocusSync {
        FocusSync(
            deviceID: sync.deviceID.description, clientTime: sync.clientTime, bootID: sync.uptime?.bootID,
            uptime: sync.uptime?.seconds, events: sync.events, cursor: sync.cursor)
    }

    static func received(_ answer: FocusSyncAnswer) -> PhoneSyncReceived<FocusOtherEvent, FocusSynced> {
        PhoneSyncReceived(
            acknowledged: answer.acknowledged, serverTime: answer.serverTime, others: answer.others,
            cursor: answer.cursor, hasMore: answer.hasMore,
            synced: FocusSynced(
                now: answer.now, serverTime: answer.serverTime,
                rejected: answer.rejected.map { .init(seq: $0.seq, reason: $0.reason) }))
    }

    typealias Event = FocusPhoneEvent
}
