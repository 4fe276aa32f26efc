import DaylyAPI
import DaylyClient
import Foundation

/// Sends the events of this phone, in their order and each once, whatever happens to the network, the app and the device.
///
/// An event is on the disk when ``record(_:at:uptime:)`` returns, and stays there until the service has acknowledged it. One
/// process syncs at a time; an extension may record events while the app syncs.
public struct PhoneQueue<Event: Sendable, Other: Sendable, Synced: Sendable>: Sendable {
    /// Takes events of the user's other phones.
    public typealias OthersHandler = @Sendable ([Other]) async throws -> Void

    private let queue: any PhoneSyncing<Event, Other, Synced>

    /// - Parameters:
    ///   - uptime: the phone's uptime now; nil where it cannot be told.
    ///   - onStep: called after each step on the disk, for tests that end the process there.
    ///   - user: the signed-in user; nil when nobody is. It throws while the device does not let anybody know.
    package init<Product: PhoneSyncProduct>(
        _ product: Product.Type, folder: URL, requests: RequestBuilder,
        authorized: any AuthorizedTransport, clock: any ClientClock = SystemClock(),
        uptime: @escaping @Sendable () -> PhoneUptime? = { nil },
        onStep: @escaping @Sendable (String) -> Void = { _ in },
        user: @escaping @Sendable () async throws(DaylyError) -> ResourceID?
    ) where Product.Event == Event, Product.Other == Other, Product.Synced == Synced {
        queue = PhoneSyncQueue<Product>(
            folder: folder, requests: requests, authorized: authorized, clock: clock, uptime: uptime,
            onStep: onStep, user: user)
    }

    /// A queue that follows the session of a client.
    /// - Parameter folder: its name in the client's folder.
    package init<Product: PhoneSyncProduct>(
        _ product: Product.Type, of dayly: Dayly, folder: String,
        uptime: @escaping @Sendable () -> PhoneUptime?
    ) where Product.Event == Event, Product.Other == Other, Product.Synced == Synced {
        let (configuration, calls, session) = (dayly.configuration, dayly.calls, dayly.session)
        self.init(
            product, folder: configuration.folder.appendingPathComponent(folder),
            requests: calls.requests, authorized: calls.authorized, clock: configuration.clock,
            uptime: uptime
        ) { () throws(DaylyError) in try await session.signedInUser()?.id }
        session.onSignIn { [queue] in await queue.signedIn() }
        session.onSignOut { [queue] user in await queue.clear(of: user) }
    }

    /// The id of this phone. It is made at the first call, and is another one after a sign-out. Where a
    /// product has a call that registers phones, the app calls it with this id; elsewhere the first sync registers the phone.
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
        _ event: Event, at: Date? = nil, uptime: PhoneUptime? = nil
    ) async throws(DaylyError) -> Int {
        try await queue.record(event, at: at, uptime: uptime)
    }

    /// The state of the queue now and after each change.
    public var statuses: AsyncStream<PhoneSyncStatus> { queue.statuses }

    /// Each answer from now on.
    public var answers: AsyncStream<Synced> { queue.answers }

    /// Syncs now. Apps call it at launch, when they come to the foreground, and when the system lets them work in the
    /// background.
    public func resume() async {
        await queue.resume()
    }

    /// Begins again after `PhoneSyncStatus.State.stopped(_:)`, when its reason is gone. Joining, and registering
    /// or removing a phone by the product's repository, do it by themselves.
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
    package func clear(of user: ResourceID) async {
        await queue.clear(of: user)
    }

    /// After a sign-in: sends what the ended session could not.
    package func signedIn() async {
        await queue.signedIn()
    }

    // MARK: For products that tell phones of each other

    package func giveOthers(to handler: @escaping OthersHandler) async {
        await queue.receiveOthers(handler)
    }

    package func sendAll(atOnce isAtOnce: Bool) async {
        await queue.sendAll(atOnce: isAtOnce)
    }
}

/// The queue of a product whose messages do not matter to the app.
protocol PhoneSyncing<Event, Other, Synced>: Sendable {
    associatedtype Event: Sendable
    associatedtype Other: Sendable
    associatedtype Synced: Sendable

    var statuses: AsyncStream<PhoneSyncStatus> { get }
    var answers: AsyncStream<Synced> { get }

    func device() async throws(DaylyError) -> ResourceID
    func record(_ event: Event, at: Date?, uptime: PhoneUptime?) async throws(DaylyError) -> Int
    func receiveOthers(_ handler: @escaping @Sendable ([Other]) async throws -> Void) async
    func sendAll(atOnce isAtOnce: Bool) async
    func resume() async
    func restart() async
    func settle() async
    func clear() async
    func clear(of user: ResourceID) async
    func signedIn() async
}

extension PhoneSyncQueue: PhoneSyncing {
    package typealias Event = Product.Event
    package typealias Other = Product.Other
    package typealias Synced = Product.Synced
}
