import DaylyAPI
import Foundation

/// Sends photos, each to its group and each once, whatever happens to the network, the app and the device.
///
/// A photo is on the disk when ``enqueue(photo:groups:)`` returns. From then on the queue tries until the service has it or
/// the user has to decide. One process sends at a time; an extension may add photos while the app sends.
public actor UploadQueue {
    /// A photo that the service has accepted.
    public struct Sent: Sendable {
        public var item: UploadItem
        public var photo: Photo
    }

    let folder: UploadFolder
    /// Where an earlier version kept the queues of all services.
    private let former: UploadFolder?
    private let service: String
    let sender: PhotoSender
    let clock: any ClientClock
    let pauses: RetryPolicy
    let background: (any BackgroundTransfers)?
    private let user: @Sendable () async throws(DaylyError) -> ResourceID?
    var machines: [UUID: UploadMachine] = [:]
    private var isOpen = false
    /// Whether another process sends, or the device does not let this one read.
    private var isHeldUp = false
    /// The items that were sent or discarded in this process. One that could not be deleted is not sent before the next
    /// start.
    private var ended: Set<UUID> = []
    private var drain: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    /// Counts the results of the system.
    var results = 0
    var sending: (id: UUID, attempt: Task<UploadAnswer, Never>)?
    private let itemReaders = Broadcast<[UploadItem]>()
    private let sentReaders = Broadcast<Sent>()

    /// - Parameters:
    ///   - former: the folder that services shared, of which the user's items are taken over.
    ///   - user: the signed-in user; nil when nobody is. It throws while the device does not let anybody know.
    ///   - onStep: called after each step on the disk, for tests that end the process there.
    package init(
        folder: URL, former: URL? = nil, requests: RequestBuilder, transport: any HTTPTransport,
        authorized: any AuthorizedTransport, clock: any ClientClock = SystemClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        background: (any BackgroundTransfers)? = nil,
        onStep: @escaping @Sendable (String) -> Void = { _ in },
        user: @escaping @Sendable () async throws(DaylyError) -> ResourceID?
    ) {
        service = requests.service
        self.folder = UploadFolder(folder, service: service, onStep: onStep)
        self.former = former.map { UploadFolder($0, service: requests.service) }
        sender = PhotoSender(requests: requests, transport: transport, authorized: authorized)
        self.clock = clock
        var pauses = UploadMachine.pauses
        pauses.random = random
        self.pauses = pauses
        self.background = background
        self.user = user
    }

    // MARK: For apps

    /// Queues a picture, one item for each group, and begins to send.
    ///
    /// - Parameters:
    ///   - photo: a JPEG, PNG, HEIC, WebP or AVIF. Where ImageIO is at hand, it is scaled down and its metadata is removed
    ///     first; the service does the same with every picture.
    ///   - groups: each gets the photo once.
    /// - Throws: ``DaylyError/storageFailed`` when the picture could not be kept. Then no group will get it.
    public func enqueue(photo: Data, groups: [ResourceID]) async throws(DaylyError) -> [UploadItem.ID] {
        guard let user = try await user() else { throw .signedOut }
        let capture = UUID()
        let items = groups.map {
            UploadItem(
                id: UUID(), groupID: $0, userID: user, service: service, captureID: capture,
                queuedAt: clock.now)
        }
        do {
            try open()
            try folder.add(items, picture: PictureReduction.reduced(photo))
        } catch {
            throw .storageFailed
        }
        for item in items { machines[item.id] = UploadMachine(item) }
        publish()
        wake()
        return items.map(\.id)
    }

    /// The queue now and after each change, oldest item first. An item that was sent or discarded is missing.
    public nonisolated var items: AsyncStream<[UploadItem]> {
        let stream = itemReaders.stream(bufferingPolicy: .bufferingNewest(1))
        Task { await publishStored() }
        return stream
    }

    /// Each photo that the service accepts from now on.
    public nonisolated var sent: AsyncStream<Sent> {
        sentReaders.stream()
    }

    /// Sends an item again that has stopped, or that waits.
    public func retry(_ id: UploadItem.ID) {
        change(id) { $0.retry(at: clock.now) }
    }

    /// Keeps an item that came too late for today's photo, and sends it when the group takes the next one.
    public func keepUntilNextDay(_ id: UploadItem.ID) {
        change(id) { $0.keepUntilNextDay(at: clock.now) }
    }

    /// Forgets an item and its picture. A photo that has just been accepted stays in its group.
    public func discard(_ id: UploadItem.ID) async {
        guard let machine = machines.removeValue(forKey: id) else { return }
        if sending?.id == id { sending?.attempt.cancel() }
        ended.insert(id)
        try? folder.remove(machine.item)
        publish()
        // Last, because the queue reads its items again meanwhile.
        await background?.cancel(id)
    }

    /// The file of an item's picture; nil when the service has refused the picture.
    public func picture(of item: UploadItem) -> URL? { folder.picture(of: item) }

    /// Begins to send what an earlier process has left. Apps call it at launch and when they come to the foreground.
    public func resume() {
        wake()
    }

    /// Sends at once what waits for the network only. Apps call it when there is a network again.
    public func networkReturned() {
        for id in machines.keys { change(id) { $0.networkReturned(at: clock.now) } }
    }

    /// After a sign-in: sends what the ended session could not.
    public func signedIn() {
        for id in machines.keys { change(id) { $0.signedIn(at: clock.now) } }
    }

    /// Forgets everything. It does not wait for an attempt that is running: the attempt may be the one that noticed the end
    /// of the session, and waits for this.
    public func clear() async {
        timer?.cancel()
        drain?.cancel()
        drain = nil
        await forget { _ in true }
    }

    /// Forgets everything of a user, whose session has ended. A process may notice the end late, when the next user has
    /// queued photos already.
    func clear(of user: ResourceID) async {
        try? open()
        adopt(of: user)
        await forget { $0 == user }
    }

    /// Records that do not say whose they are go with anybody's.
    private func forget(_ isForgotten: (ResourceID) -> Bool) async {
        let sent = sending.flatMap { machines[$0.id]?.item.userID }
        if sent.map(isForgotten) ?? true { sending?.attempt.cancel() }
        machines = machines.filter { !isForgotten($0.value.item.userID) }
        publish()
        try? open()
        let forgotten = ((try? folder.kept()) ?? []).filter { $0.owner.map(isForgotten) ?? true }
        for kept in forgotten { try? folder.remove(kept) }
        // Last, because the queue reads its items again meanwhile.
        for item in forgotten.compactMap(\.item) { await background?.cancel(item.id) }
    }

    /// Returns when nothing is due any more.
    package func settle() async {
        while let drain { await drain.value }
    }

    // MARK: Driving

    private func open() throws {
        guard !isOpen else { return }
        try folder.open()
        isOpen = true
    }

    /// Begins to take the system's results, which wait until the items are known.
    private func listen() {
        guard listening == nil, let background else { return }
        listening = Task { [weak self] in
            for await result in background.results { await self?.finish(result) }
        }
    }

    /// Begins to send, unless that is under way.
    private func wake() {
        timer?.cancel()
        guard drain == nil else { return }
        drain = Task {
            await sendDue()
            // `clear` has given this one up, and another may run by now.
            if Task.isCancelled { return }
            drain = nil
            arm()
        }
    }

    /// Wakes the queue when the next item is due.
    private func arm() {
        // Held up, it looks again from time to time: the other process may end without having sent everything, and the items
        // may not be known yet.
        var pause = 15.0
        if !isHeldUp {
            let now = clock.now
            let waiting = machines.values.filter { $0.item.state == .waiting }
            guard let next = waiting.map(\.item.notBefore).min() else { return }
            if waiting.contains(where: { $0.isDue(at: now) }) { return wake() }
            pause = next.timeIntervalSince(now)
        }
        timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: .seconds(max(pause, 0.01)))) != nil else { return }
            await self?.wake()
        }
    }

    private func sendDue() async {
        isHeldUp = true
        do { try open() } catch { return }
        let lock = folder.lockForSending()
        defer { withExtendedLifetime(lock) {} }
        guard await reload() else { return }
        await resumeBackground()
        listen()
        guard lock != nil else { return }
        while !Task.isCancelled, let machine = nextDue() {
            await send(machine.item.id)
            guard await reload() else { return }
        }
        isHeldUp = false
    }

    private func nextDue() -> UploadMachine? {
        let now = clock.now
        return ordered.first { $0.isDue(at: now) }
    }

    /// Takes up the items that other processes have added or removed, and deletes what nobody will send.
    /// - Returns: whether the user and the disk could be read.
    private func reload() async -> Bool {
        let user: ResourceID?
        do { user = try await self.user() } catch { return false }
        adopt(of: user)
        guard let all = try? folder.kept() else { return false }
        for kept in all where isLeftOver(kept, user) { try? folder.remove(kept) }
        let stored = all.compactMap(\.item).filter { $0.userID == user && !ended.contains($0.id) }
        let known = machines
        machines = [:]
        for item in stored {
            machines[item.id] = known[item.id] ?? UploadMachine(item)
            if machines[item.id]?.item.state != .sending {
                apply(item.id) { $0.review(at: clock.now) }
            }
        }
        if machines.mapValues(\.item) != known.mapValues(\.item) { publish() }
        return true
    }

    /// Takes over what the user has queued in the folder that services used to share.
    private func adopt(of user: ResourceID?) {
        guard let former, former.isQueue else { return }
        try? former.open()
        if let user { try? folder.adopt(from: former, of: user) }
        for kept in (try? former.kept()) ?? [] where isTooOld(kept) { try? former.remove(kept) }
        former.removeIfEmpty()
    }

    /// Whether a sign-out that was cut off has left an item. That nobody is signed in does not say so: the store may have been
    /// lost.
    private func isLeftOver(_ kept: UploadFolder.Kept, _ user: ResourceID?) -> Bool {
        if let user, let owner = kept.owner, owner != user { return true }
        return (user == nil || kept.item == nil) && isTooOld(kept)
    }

    private func isTooOld(_ kept: UploadFolder.Kept) -> Bool {
        clock.now.timeIntervalSince(kept.since) > UploadMachine.longestKeep.inSeconds
    }

    // MARK: Changes

    var ordered: [UploadMachine] {
        machines.values.sorted {
            ($0.item.addedAt, $0.item.id.uuidString) < ($1.item.addedAt, $1.item.id.uuidString)
        }
    }

    private func change(_ id: UUID, _ transition: (inout UploadMachine) -> [UploadMachine.Action]) {
        if apply(id, transition).isEmpty { return }
        publish()
        wake()
    }

    /// Carries out a transition. A record that cannot be written stays as it was: repeating an attempt does no harm.
    @discardableResult
    func apply(
        _ id: UUID, _ transition: (inout UploadMachine) -> [UploadMachine.Action]
    ) -> [UploadMachine.Action] {
        guard var machine = machines[id] else { return [] }
        let actions = transition(&machine)
        machines[id] = machine
        for action in actions {
            switch action {
            case .store: try? folder.store(machine.item)
            case .dropPicture: try? folder.dropPicture(of: machine.item)
            case .remove:
                try? folder.remove(machine.item)
                machines[id] = nil
                ended.insert(id)
            case .sendAgain: break
            }
        }
        return actions
    }

    func publish() {
        itemReaders.publish(ordered.map(\.item))
    }

    func publish(_ sent: Sent) {
        sentReaders.publish(sent)
    }

    /// For a new reader, which may come before anything else.
    private func publishStored() async {
        if (try? open()) != nil { _ = await reload() }
        publish()
    }
}
