import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("The photo cache")
struct PhotoCacheTests {
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
    private static var answer: StubAnswer { StubAnswer(TransportHead(status: 200), body: jpeg) }

    /// A cache over a stub, which answers `GET /v1/photos/{id}` and, at another host, pictures.
    struct World: Sendable {
        let temporary: TemporaryFolder
        let clock: ManualClock
        let stub: StubTransport
        let cache: PhotoCache

        init(
            temporary: TemporaryFolder? = nil, clock: ManualClock = ManualClock(),
            retries: RetryPolicy = .never, photo: StubAnswer = .problem(404, .notFound),
            picture: @escaping @Sendable () async throws(TransportError) -> StubAnswer = {
                StubAnswer(TransportHead(status: 200), body: PhotoCacheTests.jpeg)
            }
        ) throws {
            self.temporary = try temporary ?? TemporaryFolder()
            self.clock = clock
            stub = StubTransport { request throws(TransportError) in
                request.url.host == "bucket.example" ? try await picture() : photo
            }
            cache = PhotoCache(
                folder: self.temporary.url.appendingPathComponent("photos"),
                requests: RequestBuilder(baseURL: URL(fileURLWithPath: "/service")),
                transport: RetryingTransport(stub, policy: retries, clock: clock),
                authorized: TokenTransport(stub), clock: clock)
        }

        var files: [String] {
            let folder = temporary.url.appendingPathComponent("photos").path
            return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        var downloads: Int { stub.requests.filter { $0.url.host == "bucket.example" }.count }
    }

    /// The cache believes no time before its folder's last change, which is the real time, so the tests' clocks begin later.
    private let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down) + 3600)
    private var clock: ManualClock { ManualClock(now: now) }

    @Test("a picture is fetched once, also for two views at once, and kept")
    func kept() async throws {
        let world = try World(clock: clock)
        let photo = Photo.sample(now: now)
        async let first = world.cache.picture(of: photo)
        async let second = world.cache.picture(of: photo)
        #expect(try await [first, second] == [Self.jpeg, Self.jpeg])
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
        #expect(world.downloads == 1)
        #expect(try await world.cache.picture(of: photo, size: .thumbnail) == Self.jpeg)
        #expect(world.downloads == 2)
        #expect(world.files.count == 2)
    }

    /// Guard: an expired picture is not given out, and setting the clock back changes nothing
    /// (`PhotoCache.picture`, `ServiceTime.now`)
    @Test("an expired picture is not given out, even if its file is still there")
    func expired() async throws {
        let world = try World(clock: clock)
        let photo = Photo.sample(now: now)
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
        world.clock.setWallClock(to: photo.expiresAt)
        #expect(world.files.count == 1)
        #expect(try await world.cache.picture(of: photo) == nil)
        #expect(world.files.isEmpty)
    }

    /// Guard: expired pictures are deleted at start and by a timer (`PhotoCache.purge`)
    @Test("the timer deletes a picture when it expires")
    func timer() async throws {
        let world = try World(clock: clock)
        let photo = Photo.sample(now: now)
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
        try await eventually("the timer") { world.clock.sleepers == 1 }
        world.clock.advance(by: .seconds(48 * 3600 - 1))
        #expect(world.files.count == 1)
        world.clock.advance(by: .seconds(1))
        try await eventually("the deletion") { world.files.isEmpty }
    }

    /// Guard: expired pictures are deleted at start and by a timer (`PhotoCache.purge`)
    @Test("a cache that opens deletes what has expired, and unfinished files")
    func start() async throws {
        let world = try World(clock: clock)
        let stays = Photo.sample(now: now)
        #expect(try await world.cache.picture(of: stays) != nil)
        #expect(try await world.cache.picture(of: .sample(age: 3600, now: now)) != nil)
        let folder = world.temporary.url.appendingPathComponent("photos")
        try Self.jpeg.write(to: folder.appendingPathComponent("x.new"))
        let later = ManualClock(now: stays.expiresAt.addingTimeInterval(-60))
        let next = try World(temporary: world.temporary, clock: later)
        try await eventually("the deletion") { next.files.count == 1 }
        #expect(next.files[0].hasPrefix(stays.id.description))
    }

    /// Guard: an expired picture is not given out, and setting the clock back changes nothing
    /// (`PhotoCache.picture`, `ServiceTime.now`)
    @Test("setting the clock back revives no picture, in this process or the next")
    func clockSetBack() async throws {
        let world = try World(clock: clock)
        let photo = Photo.sample(age: 48 * 3600 - 10, now: now)
        #expect(try await world.cache.picture(of: photo) != nil)
        world.clock.setWallClock(to: now.addingTimeInterval(-86_400))
        #expect(try await world.cache.picture(of: photo) != nil)
        world.clock.advance(by: .seconds(10))
        #expect(try await world.cache.picture(of: photo) == nil)

        #expect(try await world.cache.picture(of: .sample(now: now)) != nil)
        let later = photo.expiresAt.addingTimeInterval(1)
        let kept = try World(clock: clock)
        #expect(try await kept.cache.picture(of: photo) != nil)
        let folder = kept.temporary.url.appendingPathComponent("photos")
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: folder.path)
        let back = ManualClock(now: now.addingTimeInterval(-86_400))
        let next = try World(temporary: kept.temporary, clock: back)
        #expect(try await next.cache.picture(of: photo) == nil)
    }

    @Test("a device whose clock runs ahead asks the service, and then believes its time")
    func clockAhead() async throws {
        let photo = Photo.sample(now: now)
        let date = HTTPDate.text(now)
        let picture = StubAnswer(TransportHead(status: 200, headers: ["Date": date]), body: Self.jpeg)
        let world = try World(
            clock: ManualClock(now: now.addingTimeInterval(7 * 86_400)), photo: .json(photo),
            picture: { picture })
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
        #expect(world.downloads == 1)
    }

    /// Guard: the service's time does not lag by the duration of a download (`ServiceTime.observe`)
    @Test("the time of a download does not make the service's time lag")
    func slowDownload() async throws {
        let clock = clock
        let (date, isSlow) = (HTTPDate.text(now), Locked(false))
        let world = try World(clock: clock) {
            if isSlow.withLock({ $0 }) { clock.advance(by: .seconds(60)) }
            return StubAnswer(TransportHead(status: 200, headers: ["Date": date]), body: Self.jpeg)
        }
        let expiring = Photo.sample(age: 48 * 3600 - 30, now: now)
        #expect(try await world.cache.picture(of: expiring) == Self.jpeg)
        isSlow.withLock { $0 = true }
        #expect(try await world.cache.picture(of: .sample(now: now)) == Self.jpeg)
        #expect(try await world.cache.picture(of: expiring) == nil)
        #expect(world.downloads == 2)
    }

    @Test("a URL that has ended is replaced by a fresh one")
    func freshURL() async throws {
        let world = try World(clock: clock, photo: .json(Photo.sample(now: now)))
        #expect(try await world.cache.picture(of: .sample(now: now, urlLifetime: -1)) == Self.jpeg)
        #expect(world.stub.requests.count == 2)
    }

    @Test("a photo that is gone is nil, and its kept pictures are deleted")
    func gone() async throws {
        let isGone = Locked(false)
        let world = try World(clock: clock) {
            isGone.withLock { $0 } ? .init(TransportHead(status: 403)) : Self.answer
        }
        let photo = Photo.sample(now: now)
        #expect(try await world.cache.picture(of: photo, size: .thumbnail) == Self.jpeg)
        isGone.withLock { $0 = true }
        #expect(try await world.cache.picture(of: photo) == nil)
        #expect(world.files.isEmpty)
    }

    /// Answers in the place of a picture: status, body, headers.
    static let foreign: [(Int, String, TransportHeaders)] = [
        (400, "<Error><Code>AuthorizationQueryParametersError</Code></Error>", [:]), (401, "", [:]),
        (403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", [:]), (404, "<html>", [:]),
        (410, "<html>Gone", [:]), (302, "", ["Location": "https://portal.example/"]), (200, "<html>", [:]),
        (200, "", [:]), (206, "\u{FFFD}", [:]), (451, "<html>", [:]), (503, "<html>", [:]),
        (511, "<html>Sign in", [:]),
    ]

    /// Guard: only the service's `not_found` deletes kept pictures, and no foreign `Date` sets the time
    /// (`PhotoCache.fetch`, `.download`)
    @Test("a store or a network that refuses a living photo deletes none of its pictures", arguments: foreign)
    func refused(status: Int, body: String, headers: TransportHeaders) async throws {
        let isForeign = Locked(false)
        // A router whose clock has no battery.
        var headers = headers
        headers["Date"] = HTTPDate.text(now.addingTimeInterval(40 * 365 * 86_400))
        let page = StubAnswer(TransportHead(status: status, headers: headers), body: Data(body.utf8))
        let photo = Photo.sample(now: now)
        let world = try World(clock: clock, photo: .json(photo)) {
            isForeign.withLock { $0 } ? page : Self.answer
        }
        #expect(try await world.cache.picture(of: photo, size: .thumbnail) == Self.jpeg)
        isForeign.withLock { $0 = true }
        await #expect(throws: DaylyError.unexpectedAnswer(status: status)) {
            try await world.cache.picture(of: photo)
        }
        await world.cache.purge()
        #expect(world.files.count == 1)
        #expect(try await world.cache.picture(of: photo, size: .thumbnail) == Self.jpeg)
        isForeign.withLock { $0 = false }
        #expect(try await world.cache.picture(of: photo) == Self.jpeg)
    }

    /// Guard: a picture that was cut off is not kept (`PhotoCache` (`isWhole`))
    @Test("a picture that was cut off is not kept", arguments: ["6", "8", "7, 7"])
    func cutOff(length: String) async throws {
        let short = StubAnswer(
            TransportHead(status: 200, headers: ["Content-Length": length]), body: Self.jpeg)
        let world = try World(clock: clock, photo: .json(Photo.sample(now: now))) { short }
        await #expect(throws: DaylyError.unexpectedAnswer(status: 200)) {
            try await world.cache.picture(of: .sample(now: now))
        }
        #expect(world.files.isEmpty)
    }

    @Test("the page of a captive portal is not kept as a picture")
    func captivePortal() async throws {
        let page = StubAnswer(TransportHead(status: 200), body: Data("<html>".utf8))
        let world = try World(clock: clock) { page }
        await #expect(throws: DaylyError.unexpectedAnswer(status: 200)) {
            try await world.cache.picture(of: .sample(now: now))
        }
        #expect(world.files.isEmpty)
    }

    @Test("without a network a kept picture is shown, and another one is an error")
    func offline() async throws {
        let isOffline = Locked(false)
        let world = try World(clock: clock) { () throws(TransportError) in
            if isOffline.withLock({ $0 }) { throw TransportError("offline") }
            return StubAnswer(TransportHead(status: 200), body: Self.jpeg)
        }
        let photo = Photo.sample(now: now)
        #expect(try await world.cache.picture(of: photo) != nil)
        isOffline.withLock { $0 = true }
        #expect(try await world.cache.picture(of: photo) != nil)
        await #expect(throws: DaylyError.networkUnavailable) {
            try await world.cache.picture(of: .sample(now: now))
        }
    }

    /// Guard: a download that ends after a sign-out is not kept (`PhotoCache.finish`)
    @Test(
        "forgetting and signing out leave nothing, also of a download that is under way",
        arguments: [true, false])
    func forgotten(bySignOut: Bool) async throws {
        let gate = Locked(false)
        let world = try World(clock: clock) { () async throws(TransportError) in
            while !gate.withLock({ $0 }) { await Task.yield() }
            return StubAnswer(TransportHead(status: 200), body: Self.jpeg)
        }
        let photo = Photo.sample(now: now)
        async let picture = world.cache.picture(of: photo)
        try await eventually("the download") { world.downloads == 1 }
        if bySignOut { await world.cache.clear() } else { await world.cache.forget(photo.id) }
        gate.withLock { $0 = true }
        #expect(try await picture == nil)
        #expect(world.files.isEmpty)
    }

    /// Guard: pictures are repeated like other requests, and a busy store is asked for no fresh URL (`PhotoCache.ask`)
    @Test("a picture is asked for again when the network or the store fails for a while")
    func repeated() async throws {
        let statuses = Locked([0, 503, 429])
        let date = HTTPDate.text(now)
        let world = try World(clock: clock, retries: RetryPolicy(random: { 1 })) {
            () throws(TransportError) in
            let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
            guard status > 0 else { throw TransportError("reset") }
            let head = TransportHead(status: status, headers: ["Date": date])
            return StubAnswer(head, body: status == 200 ? Self.jpeg : Data("<Error>".utf8))
        }
        let photo = Photo.sample(age: 48 * 3600 - 2, now: now)
        async let picture = world.cache.picture(of: photo)
        for milliseconds in [500, 1000, 2000] {
            try await eventually("a pause") { world.clock.sleepers == 1 }
            world.clock.advance(by: .milliseconds(milliseconds))
        }
        #expect(try await picture == Self.jpeg, "the pauses have not made the service's time run ahead")
        #expect(world.downloads == 4 && world.stub.requests.count == 4)
    }

    /// Guard: pictures are repeated like other requests, and a busy store is asked for no fresh URL (`PhotoCache.ask`)
    @Test("a store that stays busy is not told as a network's page", arguments: [429, 503])
    func busy(status: Int) async throws {
        let photo = Photo.sample(now: now)
        let world = try World(clock: clock, photo: .json(photo)) {
            StubAnswer(TransportHead(status: status), body: Data("<Error>".utf8))
        }
        let error = await #expect(throws: DaylyError.self) { try await world.cache.picture(of: photo) }
        #expect(error?.errorDescription == "Dayly does not answer at the moment.")
        #expect(error?.recoverySuggestion == "Try again in a moment.")
        #expect(world.stub.requests.count == 1)
    }

    /// Downloads that a test holds in its hands.
    private struct Held: Sendable {
        let world: World
        let gates: Locked<[CheckedContinuation<Void, Never>]>
        let cancelled: Locked<Int>

        init(clock: ManualClock) throws {
            let (gates, cancelled) = (Locked<[CheckedContinuation<Void, Never>]>([]), Locked(0))
            world = try World(clock: clock) {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { gate in gates.withLock { $0.append(gate) } }
                } onCancel: {
                    cancelled.withLock { $0 += 1 }
                }
                return PhotoCacheTests.answer
            }
            (self.gates, self.cancelled) = (gates, cancelled)
        }

        /// Wishes for a picture, and waits until the cache knows.
        func wish(_ photo: Photo, callers: Int = 1) async throws -> Task<Data?, any Error> {
            let task = Task { try await world.cache.picture(of: photo) }
            try await eventually("the wish") { await world.cache.callers(of: photo) == callers }
            return task
        }

        /// Waits for so many downloads, and lets the first go on.
        func release(_ count: Int) async throws {
            try await eventually("a download") { gates.withLock { $0.count } == count }
            gates.withLock { $0.removeFirst() }.resume()
        }

        var asked: [String] { world.stub.requests.map(\.url.absoluteString) }
    }

    /// Guard: four pictures are fetched at a time, the newest wish first (`PhotoCache.startNext`)
    @Test("four pictures are fetched at a time, and the newest wish comes first")
    func order() async throws {
        let held = try Held(clock: clock)
        let photos = (0..<7).map { _ in Photo.sample(now: now) }
        var tasks: [Task<Data?, any Error>] = []
        for photo in photos { tasks.append(try await held.wish(photo)) }
        // The fifth is wished for again.
        tasks.append(try await held.wish(photos[4], callers: 2))
        try await eventually("four downloads") { held.gates.withLock { $0.count } == 4 }
        #expect(Set(held.asked) == Set(photos[..<4].map(\.url)))
        for count in [4, 4, 4, 4, 3, 2, 1] { try await held.release(count) }
        for task in tasks { #expect(try await task.value == Self.jpeg) }
        #expect(held.asked.dropFirst(4) == [photos[4].url, photos[6].url, photos[5].url])
    }

    /// Guard: a download ends with its last caller, and gives its place to the next (`PhotoCache.leave`)
    @Test("a download ends with its last caller, and one that waits is never asked for")
    func lastCaller() async throws {
        let held = try Held(clock: clock)
        let photos = (0..<6).map { _ in Photo.sample(now: now) }
        var tasks: [Task<Data?, any Error>] = []
        for photo in photos { tasks.append(try await held.wish(photo)) }
        let second = try await held.wish(photos[0], callers: 2)
        try await eventually("four downloads") { held.gates.withLock { $0.count } == 4 }
        // It waits, and nobody else wants it.
        tasks[5].cancel()
        await #expect(throws: DaylyError.cancelled) { try await tasks[5].value }
        tasks[0].cancel()
        await #expect(throws: DaylyError.cancelled) { try await tasks[0].value }
        #expect(held.cancelled.withLock { $0 } == 0, "somebody else wants it still")
        second.cancel()
        await #expect(throws: DaylyError.cancelled) { try await second.value }
        #expect(held.cancelled.withLock { $0 } == 1)
        try await eventually("the next download") { held.gates.withLock { $0.count } == 5 }
        #expect(held.asked.last == photos[4].url)
        for count in [5, 4, 3, 2, 1] { try await held.release(count) }
        for task in tasks[1..<5] { #expect(try await task.value == Self.jpeg) }
        #expect(held.world.files.count == 4 && !held.asked.contains(photos[5].url))
    }

    @Test("HTTP's dates are read in UTC")
    func dates() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Date(timeIntervalSince1970: 784_111_777))
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT") == nil)
        #expect(HTTPDate.parse("yesterday") == nil)
    }
}

extension HTTPDate {
    fileprivate static func text(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
