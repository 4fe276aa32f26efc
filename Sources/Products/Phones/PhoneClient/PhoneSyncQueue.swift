import DaylyClient
import DaylyAPI
import Foundation

/// The queue behind a ``PhoneQueue``, which says what its functions are for.
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
    var machine = PhoneSyncMachine(notJoined: Product.notJoined)
    var takeOthers: OthersHandler?
    var status = PhoneSyncStatus(state: .idle, pending: 0)
    private var isOpen = false
    /// Whether another process syncs, or the device does not let this one read.
    private var isHeldUp = false
    private var drain: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private let statusReaders = Broadcast<PhoneSyncStatus>()
    private let answerReaders = Broadcast<Product.Synced>()

    init(
        folder: URL, requests: RequestBuilder, authorized: any AuthorizedTransport,
        clock: any ClientClock, uptime: @escaping @Sendable () -> PhoneUptime?,
        onStep: @escaping @Sendable (String) -> Void,
        user: @escaping @Sendable () async throws(DaylyError) -> ResourceID?
    ) {
        self.folder = PhoneSyncFolder(folder, onStep: onStep)
        sender = PhoneSyncSender(requests: requests, authorized: authorized)
        self.clock = clock
        self.uptime = uptime
        self.user = user
    }

    // MARK: For apps

    package func device() async throws(DaylyError) -> ResourceID {
        let user = try await signedInUser()
        do {
            try open()
            return try folder.phone(of: user).deviceID
        } catch {
            throw .storageFailed
        }
    }

    package func record(
        _ event: Product.Event, at: Date?, uptime: PhoneUptime?
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

    package nonisolated var statuses: AsyncStream<PhoneSyncStatus> {
        let stream = statusReaders.stream(bufferingPolicy: .bufferingNewest(1))
        Task { await publishStored() }
        return stream
    }

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

    package func resume() {
        trigger(.opened)
    }

    package func restart() {
        trigger(.restarted)
    }

    package func settle() async {
        while let drain { await drain.value }
    }

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
        machine = PhoneSyncMachine(notJoined: Product.notJoined)
        status = PhoneSyncStatus(state: .idle, pending: 0)
        try? open()
    }

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
