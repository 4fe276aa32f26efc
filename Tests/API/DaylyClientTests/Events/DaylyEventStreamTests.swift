import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("The stream of events")
struct DaylyEventStreamTests {
    /// A service whose connections a test holds in its hands.
    private struct World {
        typealias Pipe = AsyncThrowingStream<Data, any Error>.Continuation

        let clock = ManualClock()
        let stub: StubTransport
        let session: TokenTransport
        let events: DaylyEventStream
        let pipes = Locked<[Pipe]>([])
        let closed = Locked(0)

        /// - Parameter refusals: the answers to the first connections; nil accepts.
        init(refusals: [Result<StubAnswer, TransportError>?] = []) {
            let (pipes, closed) = (pipes, closed)
            let count = Locked(0)
            stub = StubTransport { _ throws(TransportError) in
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if number < refusals.count, let refusal = refusals[number] { return try refusal.get() }
                let (body, pipe) = AsyncThrowingStream<Data, any Error>.makeStream()
                pipe.onTermination = { _ in closed.withLock { $0 += 1 } }
                pipes.withLock { $0.append(pipe) }
                return StubAnswer(.eventStream, body: body)
            }
            session = TokenTransport(stub)
            events = DaylyEventStream(
                requests: RequestBuilder(baseURL: URL(fileURLWithPath: "/")), authorized: session,
                clock: clock,
                random: { 1 })
        }

        func pipe(_ number: Int) async throws -> Pipe {
            try await eventually("connection \(number + 1)") {
                pipes.withLock { $0.count > number ? $0[number] : nil }
            }
        }

        /// Waits until the client pauses, and lets the pause pass.
        func skipPause(of pause: Duration) async throws {
            try await eventually("a pause") { clock.sleepers == 1 }
            clock.advance(by: pause)
        }

        var cursors: [String?] { stub.requests.map { $0.headers["Last-Event-ID"] } }
    }

    private static func left(_ id: String) -> Data {
        Data(
            """
            id: \(id)
            event: member.left
            data: {"group_id":"0193a8e6-0000-7000-8000-000000000001","user_id":null,"first_name":null}


            """.utf8)
    }

    private func name(_ event: DaylyEvent?) -> String {
        switch event {
        case .resync: "resync"
        case .memberLeft: "left"
        case .hintsMissed: "hints"
        case nil: "end"
        default: "other"
        }
    }

    /// Guard: a stream resumes by its cursor; without one it begins with a resync (`EventConnection.connect`)
    @Test("a stream begins with a resync, and resumes by the cursor without another one")
    func resumes() async throws {
        let world = World()
        var events = world.events.makeAsyncIterator()
        let first = try await world.pipe(0)
        #expect(name(try await events.next()) == "resync")
        first.yield(Data("retry: 500\nid: 6\n\n".utf8) + Self.left("7"))
        #expect(name(try await events.next()) == "left")
        first.yield(Data("id: 8\nevent: member.left\ndata: {".utf8))
        first.finish()
        try await world.skipPause(of: .milliseconds(500))
        try await world.pipe(1).yield(Self.left("8"))
        #expect(name(try await events.next()) == "hints")
        #expect(name(try await events.next()) == "left")
        #expect(world.cursors == [nil, "7"])
    }

    /// Guard: a stream resumes by its cursor; without one it begins with a resync (`EventConnection.connect`)
    @Test("an expired cursor is given up, with a resync")
    func expiredCursor() async throws {
        let world = World(refusals: [nil, .success(.problem(410, .cursorExpired))])
        var events = world.events.makeAsyncIterator()
        let first = try await world.pipe(0)
        #expect(name(try await events.next()) == "resync")
        first.yield(Self.left("7"))
        #expect(name(try await events.next()) == "left")
        first.finish(throwing: TransportError("reset"))
        try await world.skipPause(of: .seconds(2))
        try await world.skipPause(of: .seconds(1))
        _ = try await world.pipe(1)
        #expect(name(try await events.next()) == "resync")
        #expect(world.cursors == [nil, "7", nil])
    }

    /// Guard: pauses between connections double, and follow Retry-After (`EventConnection.pause`)
    @Test("failures double the pause, up to a minute, and a connection ends that")
    func backoff() async throws {
        let offline = Result<StubAnswer, TransportError>.failure(TransportError("offline"))
        let world = World(refusals: Array(repeating: offline, count: 7))
        var events = world.events.makeAsyncIterator()
        for (number, seconds) in [2, 4, 8, 16, 32, 60, 60].enumerated() {
            try await eventually("a pause") { world.clock.sleepers == 1 }
            #expect(world.stub.requests.count == number + 1)
            world.clock.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(world.clock.sleepers == 1, "\(seconds) s")
            world.clock.advance(by: .milliseconds(1))
        }
        let pipe = try await world.pipe(0)
        pipe.yield(Data(": ready\n\n".utf8))
        pipe.finish()
        #expect(name(try await events.next()) == "resync")
        try await world.skipPause(of: .seconds(1))
        _ = try await world.pipe(1)
    }

    /// Guard: a page is not a stream, and a stream that carries nothing is a failure
    /// (`AuthorizedClient.stream`, `EventConnection.connect`)
    @Test(
        "a page in the place of the stream is no stream, whatever its status",
        arguments: [200, 203, 302, 403, 511])
    func page(status: Int) async throws {
        let world = World(refusals: Array(repeating: .success(.page(status)), count: 3))
        var events = world.events.makeAsyncIterator()
        for (number, seconds) in [2, 4, 8].enumerated() {
            try await eventually("a pause") { world.clock.sleepers == 1 }
            #expect(world.stub.requests.count == number + 1)
            world.clock.advance(by: .seconds(seconds))
        }
        _ = try await world.pipe(0)
        #expect(name(try await events.next()) == "resync", "the first comes with the stream")
    }

    /// Guard: a page is not a stream, and a stream that carries nothing is a failure
    /// (`AuthorizedClient.stream`, `EventConnection.connect`)
    @Test("streams that end after their head are failures, and the pause between them grows")
    func silentStreams() async throws {
        let world = World()
        let events = world.events.makeAsyncIterator()
        for (number, seconds) in [2, 4, 8].enumerated() {
            try await world.pipe(number).finish()
            try await world.skipPause(of: .seconds(seconds) - .milliseconds(1))
            #expect(world.clock.sleepers == 1, "\(seconds) s")
            world.clock.advance(by: .milliseconds(1))
        }
        withExtendedLifetime(events) {}
    }

    /// Guard: pauses between connections double, and follow Retry-After (`EventConnection.pause`)
    @Test("the service's Retry-After counts")
    func retryAfter() async throws {
        let world = World(refusals: [.success(.problem(503, .overloaded, retryAfter: 7))])
        let events = world.events.makeAsyncIterator()
        try await world.skipPause(of: .milliseconds(7_999))
        #expect(world.clock.sleepers == 1)
        world.clock.advance(by: .milliseconds(1))
        _ = try await world.pipe(0)
        withExtendedLifetime(events) {}
    }

    /// Guard: all loops share one connection, which ends with the last (`EventConnection.add`, `.remove`)
    @Test("two loops share a connection; the later one begins with a resync")
    func shared() async throws {
        let world = World()
        var first = world.events.makeAsyncIterator()
        let pipe = try await world.pipe(0)
        #expect(name(try await first.next()) == "resync")
        var second = world.events.makeAsyncIterator()
        #expect(name(try await second.next()) == "resync")
        pipe.yield(Self.left("7"))
        #expect(name(try await first.next()) == "left")
        #expect(name(try await second.next()) == "left")
        #expect(world.stub.requests.count == 1)
    }

    /// Guard: a loop begins with a resync, also where others resume (`EventConnection.greet`)
    @Test("a loop that begins between two connections begins with a resync, the others go on")
    func begunOffline() async throws {
        let world = World()
        var first = world.events.makeAsyncIterator()
        let pipe = try await world.pipe(0)
        #expect(name(try await first.next()) == "resync")
        pipe.yield(Self.left("7"))
        #expect(name(try await first.next()) == "left")
        pipe.finish()
        try await eventually("a pause") { world.clock.sleepers == 1 }
        let (stream, reader) = AsyncThrowingStream<DaylyEvent, any Error>.makeStream()
        await world.events.connection.add(reader)
        var second = stream.makeAsyncIterator()
        try await world.skipPause(of: .seconds(1))
        try await world.pipe(1).yield(Self.left("8"))
        #expect(name(try await first.next()) == "hints")
        #expect(name(try await second.next()) == "resync")
        #expect(name(try await first.next()) == "left")
        #expect(name(try await second.next()) == "left")
        #expect(world.cursors == [nil, "7"])
    }

    /// Guard: a connection that was given up moves no cursor (`EventConnection.connect`)
    @Test("an event that finds the last loop gone leaves no cursor to the next loop")
    func lateEvent() async throws {
        let world = World()
        let (stream, reader) = AsyncThrowingStream<DaylyEvent, any Error>.makeStream()
        await world.events.connection.add(reader)
        let pipe = try await world.pipe(0)
        var first = stream.makeAsyncIterator()
        #expect(name(try await first.next()) == "resync")
        // The connection learns of the loop's end by the event itself.
        reader.onTermination = nil
        reader.finish()
        pipe.yield(Self.left("7"))
        try await eventually("the end of the connection") { world.closed.withLock { $0 } == 1 }
        var second = world.events.makeAsyncIterator()
        _ = try await world.pipe(1)
        #expect(name(try await second.next()) == "resync")
        #expect(world.cursors == [nil, nil])
    }

    /// Guard: all loops share one connection, which ends with the last (`EventConnection.add`, `.remove`)
    @Test("the connection ends with the last loop")
    func lastLoop() async throws {
        let world = World()
        let events = world.events
        let loop = Task { for try await _ in events {} }
        _ = try await world.pipe(0)
        loop.cancel()
        try await eventually("the end of the connection") { world.closed.withLock { $0 } == 1 }
        let again = events.makeAsyncIterator()
        _ = try await world.pipe(1)
        #expect(world.cursors == [nil, nil])
        withExtendedLifetime(again) {}
    }

    @Test("loops end with the session, and an ended session is an error")
    func session() async throws {
        let world = World()
        var events = world.events.makeAsyncIterator()
        _ = try await world.pipe(0)
        #expect(name(try await events.next()) == "resync")
        await world.events.end()
        #expect(try await events.next() == nil)

        world.session.isSignedIn.withLock { $0 = false }
        var again = world.events.makeAsyncIterator()
        await #expect(throws: DaylyError.signedOut) { _ = try await again.next() }
    }

    @Test("unknown events are left out, and a known one that does not decode asks for a resync")
    func unknown() async throws {
        let world = World()
        var events = world.events.makeAsyncIterator()
        let pipe = try await world.pipe(0)
        #expect(name(try await events.next()) == "resync")
        pipe.yield(Data("id: 6\nevent: photo.liked\ndata: {}\n\n".utf8) + Self.left("7"))
        #expect(name(try await events.next()) == "left")
        pipe.yield(Data("event: photo.created\ndata: {}\n\n".utf8))
        #expect(name(try await events.next()) == "resync")
    }
}
