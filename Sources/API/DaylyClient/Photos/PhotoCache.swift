import DaylyAPI
import Foundation

/// The pictures on this device. An expired picture is never given out, even if its deletion has failed, and is deleted when
/// the cache opens, by a timer, and at sign-out.
///
/// Pictures live in these files only: the transport keeps no URL cache. A device that never opens the app again keeps its
/// files until then, and a screenshot is beyond this library.
public actor PhotoCache {
    public enum Size: String, Sendable, CaseIterable {
        case full
        case thumbnail
    }

    /// A picture that is wished for.
    private struct Download {
        /// Tells it from an earlier one of the same picture.
        let id = UUID()
        var photo: Photo
        let size: Size
        var callers: [UUID: CheckedContinuation<Answer, Never>] = [:]
        /// Nil: it waits for its turn.
        var task: Task<Void, Never>?
    }

    private typealias Answer = Result<Data?, DaylyError>

    /// More would share the same network, and what is on the screen would come later.
    private static let downloadsAtOnce = 4

    private let files: PhotoFiles
    private let requests: RequestBuilder
    /// For pictures, whose URLs are signed.
    private let transport: RetryingTransport
    private let authorized: any AuthorizedTransport
    private let clock: any ClientClock
    private var time: ServiceTime
    private var downloads: [PhotoFiles.Name: Download] = [:]
    /// The downloads that wait for their turn, the newest wish last.
    private var waiting: [PhotoFiles.Name] = []
    private var timer: Task<Void, Never>?

    package init(
        folder: URL, requests: RequestBuilder, transport: RetryingTransport,
        authorized: any AuthorizedTransport, clock: any ClientClock = SystemClock()
    ) {
        files = PhotoFiles(folder)
        self.requests = requests
        self.transport = transport
        self.authorized = authorized
        self.clock = clock
        time = ServiceTime(clock, floor: files.lastChange)
        Task { await purge() }
    }

    // MARK: For apps

    /// The bytes of a picture, kept or fetched; nil when the photo is gone.
    ///
    /// Calls for the same picture share one download, which ends when the tasks of all of them are cancelled. A few pictures
    /// are fetched at a time, and of those that wait the one that was asked for last comes first, so that a screen which
    /// cancels what has left it shows what stands on it.
    ///
    /// Only the service's own `not_found` means that a photo is gone. A store that refuses a fresh URL, or a network that
    /// answers instead, deletes nothing.
    ///
    /// - Throws: ``DaylyError/networkUnavailable`` when the picture is not kept and the network is away, and
    ///   ``DaylyError/unexpectedAnswer(status:)`` when something else came than the picture.
    public func picture(of photo: Photo, size: Size = .full) async throws(DaylyError) -> Data? {
        let name = PhotoFiles.Name(photo, size)
        // A clock that runs ahead hides no photo for good: as long as the device's time is in doubt, the service decides.
        if time.isKnown && isExpired(name) {
            files.remove(photo.id)
            return nil
        }
        if !isExpired(name), let data = files.read(name) { return data }
        return try await download(photo, size, name).get()
    }

    /// Deletes the pictures of a photo, as after `photo.deleted`.
    public func forget(_ id: ResourceID) {
        end(downloads.keys.filter { $0.photoID == id }, with: .success(nil))
        files.remove(id)
    }

    /// Deletes the expired pictures. The cache does it by itself while the app runs; apps call it when they come to the
    /// foreground, because timers sleep with the device.
    public func purge() {
        files.purge(at: time.now(clock))
        arm()
    }

    /// Deletes everything, as at sign-out.
    public func clear() {
        timer?.cancel()
        end(Array(downloads.keys), with: .success(nil))
        files.removeAll()
    }

    // MARK: Fetching

    /// How many wait for a picture.
    func callers(of photo: Photo, size: Size = .full) -> Int {
        downloads[PhotoFiles.Name(photo, size)]?.callers.count ?? 0
    }

    private func isExpired(_ name: PhotoFiles.Name) -> Bool { name.expiresAt <= time.now(clock) }

    /// Joins the download of a picture, or begins it. A caller that is cancelled leaves at once.
    private func download(_ photo: Photo, _ size: Size, _ name: PhotoFiles.Name) async -> Answer {
        let caller = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                var download = downloads[name] ?? Download(photo: photo, size: size)
                download.photo = photo
                download.callers[caller] = continuation
                downloads[name] = download
                waiting.removeAll { $0 == name }
                if download.task == nil { waiting.append(name) }
                startNext()
            }
        } onCancel: {
            Task { await self.leave(name, caller) }
        }
    }

    private func leave(_ name: PhotoFiles.Name, _ caller: UUID) {
        guard let download = downloads[name], let continuation = download.callers[caller] else { return }
        guard download.callers.count > 1 else { return end([name], with: .failure(.cancelled)) }
        downloads[name]?.callers[caller] = nil
        continuation.resume(returning: .failure(.cancelled))
    }

    private func startNext() {
        while downloads.values.count(where: { $0.task != nil }) < Self.downloadsAtOnce,
            let name = waiting.popLast(), let download = downloads[name]
        {
            downloads[name]?.task = Task {
                finish(name, download.id, await fetch(download.photo, download.size))
            }
        }
    }

    private func finish(_ name: PhotoFiles.Name, _ id: UUID, _ answer: Answer) {
        // After a sign-out or `forget` nothing of the download may stay.
        guard downloads[name]?.id == id else { return }
        guard case .success(let data) = answer else { return end([name], with: answer) }
        guard let data, !isExpired(name) else {
            files.remove(name.photoID)
            return end([name], with: .success(nil))
        }
        files.write(data, name)
        arm()
        end([name], with: .success(data))
    }

    /// Ends downloads, also those that still wait for their turn.
    private func end(_ names: [PhotoFiles.Name], with answer: Answer) {
        waiting.removeAll { names.contains($0) }
        for name in names {
            guard let download = downloads.removeValue(forKey: name) else { continue }
            download.task?.cancel()
            for caller in download.callers.values { caller.resume(returning: answer) }
        }
        startNext()
    }

    /// Fetches a picture, once more with fresh URLs when these do not work any more.
    private func fetch(_ photo: Photo, _ size: Size) async -> Answer {
        do throws(DaylyError) {
            if photo.urlExpiresAt > time.now(clock) {
                let first = try await ask(for: photo, size)
                if first.isPicture { return .success(first.body) }
                // The URL may have ended; then the store refuses it. A store that is busy refuses a fresh one too.
                guard 400..<500 ~= first.status, !RetryPolicy.isTransient(first.status) else {
                    throw .unexpectedAnswer(status: first.status)
                }
            }
            let request = try requests.request(.getPhoto, path: [photo.id.description])
            let began = clock.monotonic
            let response = try await authorized.send(request, isIdempotent: true)
            time.observe(response.headers, since: began)
            let second = try await ask(for: ClientJSON.decode(from: response), size)
            guard second.isPicture else { throw .unexpectedAnswer(status: second.status) }
            return .success(second.body)
        } catch {
            return error.code == .notFound ? .success(nil) : .failure(error)
        }
    }

    /// The store's last answer, after the repetitions of the ``RetryPolicy``.
    private func ask(for photo: Photo, _ size: Size) async throws(DaylyError) -> TransportResponse {
        guard let url = URL(string: size == .full ? photo.url : photo.thumbnailURL) else {
            throw .unexpectedAnswer(status: 0)
        }
        var attempt = 1
        while true {
            // Each attempt begins anew: the time must not run ahead by the pauses between them.
            let began = clock.monotonic
            let outcome = await transport.outcome(of: TransportRequest(.get, url))
            guard let pause = transport.pause(after: outcome, attempt: attempt) else {
                let response = try outcome.get()
                // A router without a battery has its own year, and its time would delete every picture.
                if response.isPicture { time.observe(response.headers, since: began) }
                return response
            }
            try await transport.sleep(for: pause)
            attempt += 1
        }
    }

    // MARK: Forgetting by time

    private func arm() {
        timer?.cancel()
        guard let next = files.names().map(\.expiresAt).min() else { return }
        let pause = Duration.seconds(max(next.timeIntervalSince(time.now(clock)), 0.1))
        timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: pause)) != nil else { return }
            await self?.purge()
        }
    }
}

extension TransportResponse {
    /// Whether this is a whole picture. All pictures of the service are JPEGs, and the page of a captive portal is not.
    fileprivate var isPicture: Bool { status == 200 && body.starts(with: [0xFF, 0xD8, 0xFF]) && isWhole }

    /// Whether the body has the length that its head gives. A coding that the transport has undone changes the length.
    private var isWhole: Bool {
        guard headers["Content-Encoding"] == nil, let length = headers["Content-Length"] else { return true }
        return Int(length.trimmingCharacters(in: .whitespaces)) == body.count
    }
}
