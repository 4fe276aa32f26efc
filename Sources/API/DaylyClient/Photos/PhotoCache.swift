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

    private let files: PhotoFiles
    private let requests: RequestBuilder
    /// For pictures, whose URLs are signed.
    private let transport: any HTTPTransport
    private let authorized: any AuthorizedTransport
    private let clock: any ClientClock
    private var time: ServiceTime
    private var downloads: [PhotoFiles.Name: Task<Result<Data?, DaylyError>, Never>] = [:]
    private var timer: Task<Void, Never>?
    /// Counts the sign-outs, so that a download from before one is not kept after it.
    private var generation = 0

    package init(
        folder: URL, requests: RequestBuilder, transport: any HTTPTransport,
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

    /// The bytes of a picture, kept or fetched; nil when the photo is gone. Calls for the same picture share one download.
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
        let download = downloads[name] ?? start(photo, size, name)
        let data = try await download.value.get()
        return data
    }

    /// Deletes the pictures of a photo, as after `photo.deleted`.
    public func forget(_ id: ResourceID) {
        for name in downloads.keys where name.photoID == id { downloads.removeValue(forKey: name)?.cancel() }
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
        generation += 1
        timer?.cancel()
        for download in downloads.values { download.cancel() }
        downloads.removeAll()
        files.removeAll()
    }

    // MARK: Fetching

    private func isExpired(_ name: PhotoFiles.Name) -> Bool { name.expiresAt <= time.now(clock) }

    private func start(
        _ photo: Photo, _ size: Size, _ name: PhotoFiles.Name
    ) -> Task<Result<Data?, DaylyError>, Never> {
        let download = Task { [generation] in
            let result = await self.fetch(photo, size)
            return self.finish(name, result, generation)
        }
        downloads[name] = download
        return download
    }

    private func finish(
        _ name: PhotoFiles.Name, _ result: Result<Data?, DaylyError>, _ generation: Int
    ) -> Result<Data?, DaylyError> {
        // After a sign-out or `forget` nothing of the download may stay.
        guard generation == self.generation, downloads.removeValue(forKey: name) != nil else {
            return .success(nil)
        }
        guard case .success(let data) = result else { return result }
        guard let data, !isExpired(name) else {
            files.remove(name.photoID)
            return .success(nil)
        }
        files.write(data, name)
        arm()
        return .success(data)
    }

    /// Fetches a picture, once more with fresh URLs when these do not work any more.
    private func fetch(_ photo: Photo, _ size: Size) async -> Result<Data?, DaylyError> {
        do throws(DaylyError) {
            if photo.urlExpiresAt > time.now(clock) {
                let first = try await download(photo, size)
                if first.isPicture { return .success(first.body) }
                // The URL may have ended; then the store refuses it.
                guard 400..<500 ~= first.status else { throw .unexpectedAnswer(status: first.status) }
            }
            let request = try requests.request(.getPhoto, path: [photo.id.description])
            let began = clock.monotonic
            let response = try await authorized.send(request, isIdempotent: true)
            time.observe(response.headers, since: began)
            let second = try await download(ClientJSON.decode(from: response), size)
            guard second.isPicture else { throw .unexpectedAnswer(status: second.status) }
            return .success(second.body)
        } catch {
            return error.code == .notFound ? .success(nil) : .failure(error)
        }
    }

    private func download(_ photo: Photo, _ size: Size) async throws(DaylyError) -> TransportResponse {
        let text = size == .full ? photo.url : photo.thumbnailURL
        guard let url = URL(string: text) else { throw .unexpectedAnswer(status: 0) }
        let began = clock.monotonic
        let response: TransportResponse
        do {
            response = try await transport.send(TransportRequest(.get, url))
        } catch {
            throw DaylyError(error)
        }
        // A router without a battery has its own year, and its time would delete every picture.
        if response.isPicture { time.observe(response.headers, since: began) }
        return response
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
