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
            photo: StubAnswer = .problem(404, .notFound),
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
                requests: RequestBuilder(baseURL: URL(fileURLWithPath: "/service")), transport: stub,
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
