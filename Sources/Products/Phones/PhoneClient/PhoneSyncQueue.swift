import DaylyClient
import DaylyAPI
import Foundation

/// Sends the events of this phone, in their order and each once, whatever happens to the network, the app and the device.
///
/// An event is on the disk when ``record(_:at:uptime:)`` returns, and stays there until the service has acknowledged it. One
/// process syncs at a time; an extension may record events while the app syncs.
package actor PhoneSyncQueue<Product: PhoneSyncProduct> {
    package typealias Message = Product.Event.Message
    typealias Received = PhoneSyncReceived<Product.Other, Product.Synced>
    /// Takes events of the user's other phones.
    package typealias OthersHandler = @Sendable ([Product.Other]) async throws -> Void

    let folder: PhoneSyncFolder<Product.Event>
    let sender: PhoneSyncSender<Product>
    let clock: any ClientClock
    let uptime: @Sendable () -> PhoneUptime?
    private let user: @Sendable () async throws(DaylyError) -> ResourceID?
    var machine = PhoneSyncMachine()
    var takeOthers: OthersHandler?
    var status = PhoneSyncStatus(state: .idle, pending: 0)
    private var isOpen = false
    /// Whether another process syncs, or the device does not let this one read.
    private var isHeldUp = false
    private var drain: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private let statusReaders = Broadcast<PhoneSyncStatus>()
    private let answerReaders = Broadcast<Product.Synced>()

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
        self.folder = PhoneSyncFolder(folder, onStep: onStep)
        sender = PhoneSyncSender(requests: requests, authorized: authorized)
        self.clock = clock
        self.uptime = uptime
        self.user = user
    }

    // MARK: For apps

    /// The id of this phone, under which the app registers it. It is made at the first call, and is another one after a
    /// sign-out.
    package func device() async throws(DaylyError) -> ResourceID {
        let user = try await signedInUser()
        do {
            try open()
            return try folder.phone(of: user).deviceID
        } catch {
            throw .storageFailed
        }
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
    package func record(
        _ event: Product.Event, at: Date? = nil, uptime: PhoneUptime? = nil
    ) async throws(DaylyError) -> Int {
        try event.check()
        let user = try await signedInUser()
        let seq: Int
        do {
            try open()
            let known = uptime ?? (at == nil ? self.uptime() : nil)
            seq = try folder.add(event, at: at ?? clock.now, uptime: known, of: user)
        } catch {
            throw .storageFailed
        }
        trigger(.recorded(canWait: event.canWait))
        return seq
    }

    /// The state of the queue now and after each change.
    package nonisolated var statuses: AsyncStream<PhoneSyncStatus> {
        let stream = statusReaders.stream(bufferingPolicy: .bufferingNewest(1))
        Task { await publishStored() }
        return stream
    }

    /// Each answer from now on.
    package nonisolated var answers: AsyncStream<Product.Synced> { answerReaders.stream() }

    /// Gives the events of the user's other phones to the app, by phone and number, before the queue forgets that they were
    /// new. The handler may get the same events again, and those of a sync for which it throws come with the next one.
    package func receiveOthers(_ handler: @escaping OthersHandler) {
        takeOthers = handler
    }

    /// Whether events that may wait are sent at once, or with the next one. The phone's record keeps it for later processes
    /// and for extensions.
    package func sendAll(atOnce isAtOnce: Bool) async {
        guard let user = try? await user() else { return }
        try? open()
        _ = try? folder.phone(of: user)
        try? folder.update { $0.sendsAllAtOnce = isAtOnce }
    }

    /// Syncs now. Apps call it at launch, when they come to the foreground, and when the system lets them work in the
    /// background.
    package func resume() {
        trigger(.opened)
    }

    /// Begins again after `PhoneSyncStatus.State.stopped(_:)`, when its reason is gone.
    package func restart() {
        trigger(.restarted)
    }

    /// Returns when no sync is under way. An app that the system woke in the background waits for it.
    package func settle() async {
        while let drain { await drain.value }
    }

    /// Forgets everything. It does not wait for a sync that is running: the sync may be the one that noticed the end of the
    /// session, and waits for this.
    package func clear() async {
        reset()
        try? folder.clear()
        statusReaders.publish(status)
    }

    /// Forgets everything of a user, whose session has ended. A process may notice the end late, when the next user has
    /// recorded events already, and begins with those.
    package func clear(of user: ResourceID) async {
        reset()
        try? folder.clear(of: user)
        guard (try? folder.phone()) != nil else { return statusReaders.publish(status) }
        resume()
    }

    private func reset() {
        timer?.cancel()
        drain?.cancel()
        drain = nil
        machine = PhoneSyncMachine()
        status = PhoneSyncStatus(state: .idle, pending: 0)
        try? open()
    }

    /// After a sign-in: sends what the ended session could not.
    package func signedIn() {
        trigger(.signedIn)
    }

    private func signedInUser() async throws(DaylyError) -> ResourceID {
        guard let user = try await user() else { throw .signedOut }
        return user
    }

    // MARK: Driving

    private func open() throws {
        guard !isOpen else { return }
        try folder.open()
        isOpen = true
    }

    private func trigger(_ trigger: PhoneSyncMachine.Trigger) {
        try? open()
        // Another process may have changed it.
        if let phone = try? folder.phone() { machine.sendsAllAtOnce = phone.sendsAllAtOnce }
        machine.receive(trigger)
        publish()
        wake()
    }

    /// Begins to sync, unless that is under way.
    private func wake() {
        timer?.cancel()
        guard drain == nil else { return }
        drain = Task {
            await syncDue()
            // `clear` has given this one up, and another may run by now.
            if Task.isCancelled { return }
            drain = nil
            arm()
        }
    }

    /// Wakes the queue when the next sync is due.
    private func arm() {
        let pause: Duration
        switch machine.state {
        // Look again from time to time: the other process may end without having sent everything.
        case .due where isHeldUp: pause = .seconds(15)
        case .due: return wake()
        case .waiting(let until, _): pause = until - clock.monotonic
        default: return
        }
        timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: max(pause, .milliseconds(10)))) != nil else { return }
            await self?.wake()
        }
    }

    private func syncDue() async {
        guard machine.isDue(at: clock.monotonic) else { return }
        isHeldUp = true
        do {
            try open()
            let lock = folder.lockForSyncing()
            defer { withExtendedLifetime(lock) {} }
            guard lock != nil else { return }
            while !Task.isCancelled, machine.isDue(at: clock.monotonic), let phone = try await phone() {
                try await sync(phone)
            }
        } catch {
            // A device that does not let anybody read may do so later.
            return
        }
        isHeldUp = false
    }

    /// The phone of the signed-in user; nil when there is nothing to send. Events of another user are what a sign-out that
    /// was cut off has left, and are deleted.
    private func phone() async throws -> PhoneRecord? {
        let user = try await self.user()
        guard let phone = try folder.phone() else {
            machine.rest()
            return nil
        }
        guard phone.userID == user else {
            await clear()
            return nil
        }
        return phone
    }

    // MARK: Changes

    func publish() {
        status.state =
            switch machine.state {
            case .idle: .idle
            case .due, .syncing: .syncing
            case .waiting: .waiting
            case .stopped(let stop): .stopped(stop)
            }
        status.pending = (try? folder.count()) ?? status.pending
        statusReaders.publish(status)
    }

    func publish(_ answer: Product.Synced) {
        answerReaders.publish(answer)
    }

    /// For a new reader, which may come before anything else.
    private func publishStored() async {
        try? open()
        // A sign-out that no queue has seen has left the events of another user.
        if let user = try? await user(), let phone = try? folder.phone(), phone.userID != user {
            try? folder.clear(of: phone.userID)
        }
        publish()
    }
}
