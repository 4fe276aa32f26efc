import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 in front of one server. It loses, holds and delays bytes as a test asks.
package final class TCPProxy: Sendable {
    package enum Hold: Sendable, Equatable {
        case nothing
        /// HTTP requests of this method do not reach the server.
        case requests(String)
        /// HTTP requests of this method reach the server, and their replies do not come back.
        case replies(String)
    }

    package struct Behaviour: Sendable {
        package var hold = Hold.nothing
        /// The proxy passes nothing on in either direction; the connections stay open.
        package var isSilent = false
        /// When the client sends this, the server gets it and the client's connection is cut before the answer.
        package var cutAfter: String?
        /// When the client sends this, the connections are cut before the server gets it.
        package var cutBefore: String?
        /// When the client sends this, the server never gets it, and the connection stays.
        package var swallow: String?
        /// The delay of a cancel request of PostgreSQL's.
        package var cancelDelay: Duration = .zero
        /// New connections are closed at once.
        package var isRefusing = false
        /// The pace of each connection in each direction; nil for no limit.
        package var bytesPerSecond: Int?
    }

    package let port: Int
    private let traffic: Traffic
    private let listener: Socket

    /// - Parameter target: the server's port on 127.0.0.1.
    package init(to target: Int) throws {
        let traffic = Traffic(to: UInt16(target))
        let (listener, port) = try Socket.listen { traffic.serve($0) }
        (self.traffic, self.listener, self.port) = (traffic, listener, Int(port))
    }

    deinit {
        traffic.behaviour.withLock { $0 = Behaviour() }
        listener.shutDown()
    }

    package func set(_ change: (inout Behaviour) -> Void) { traffic.behaviour.withLock { change(&$0) } }

    package func hold(_ hold: Hold) { set { $0.hold = hold } }

    /// How many connections there have been.
    package var connections: Int { traffic.accepted.value }

    /// How many pieces have been held back.
    package var held: Int { traffic.held.value }

    package func waitUntilHeld(_ count: Int = 1) async throws {
        try await eventually("something held back by the proxy") { held >= count }
    }

    /// How many answers `cutAfter` has cut off.
    package var lostAnswers: Int { traffic.lostAnswers.value }
}

/// The connections of a proxy, each with two threads.
private final class Traffic: Sendable {
    let behaviour = Mutex(TCPProxy.Behaviour())
    let accepted = Counter()
    let held = Counter()
    let lostAnswers = Counter()
    private let target: UInt16

    init(to target: UInt16) { self.target = target }

    private var now: TCPProxy.Behaviour { behaviour.withLock { $0 } }

    /// Either side's end ends both.
    func serve(_ client: Socket) {
        accepted.increment()
        guard !now.isRefusing, let server = Socket.connect(to: target) else { return }
        let request = LatestRequest()
        inThread {
            self.pump(from: server, to: client) { _ in
                self.wait { $0 == .replies(request.method) }
                return true
            }
        }
        pump(from: client, to: server) { bytes in
            request.note(bytes)
            self.wait { $0 == .requests(request.method) }
            return self.passes(bytes, from: client, to: server)
        }
    }

    private func pump(from source: Socket, to sink: Socket, _ passes: ([UInt8]) -> Bool) {
        defer {
            source.shutDown()
            sink.shutDown()
        }
        while let bytes = source.read() {
            while now.isSilent { usleep(10_000) }
            guard passes(bytes) else { return }
            if let mark = now.swallow, String(decoding: bytes, as: UTF8.self).contains(mark) { continue }
            write(bytes, to: sink)
        }
    }

    /// Writes a tenth of a second's bytes at a time where there is a pace.
    private func write(_ bytes: [UInt8], to sink: Socket) {
        var rest = bytes[...]
        while let pace = now.bytesPerSecond, !rest.isEmpty {
            sink.write(Array(rest.prefix(max(pace / 10, 1))))
            rest = rest.dropFirst(max(pace / 10, 1))
            usleep(100_000)
        }
        if !rest.isEmpty { sink.write(Array(rest)) }
    }

    /// Decides whether the client's bytes are passed on.
    private func passes(_ bytes: [UInt8], from client: Socket, to server: Socket) -> Bool {
        let behaviour = now
        // A cancel request begins with its length, 16, and the number 80877102.
        if bytes.starts(with: [0, 0, 0, 16, 4, 210, 22, 46]), behaviour.cancelDelay > .zero {
            usleep(UInt32(behaviour.cancelDelay / .microseconds(1)))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let mark = behaviour.cutBefore, text.contains(mark) { return false }
        guard let mark = behaviour.cutAfter, text.contains(mark) else { return true }
        lostAnswers.increment()
        client.shutDown()
        server.write(bytes)
        usleep(200_000)
        return false
    }

    private func wait(while isHeld: (TCPProxy.Hold) -> Bool) {
        guard isHeld(now.hold) else { return }
        held.increment()
        while isHeld(now.hold) { usleep(5_000) }
    }
}

/// The method of the latest HTTP request of one connection.
private final class LatestRequest: Sendable {
    private let latest = Mutex("")

    var method: String { latest.withLock { $0 } }

    func note(_ bytes: [UInt8]) {
        let start = String(decoding: bytes.prefix(8), as: UTF8.self)
        guard
            let method = ["GET", "PUT", "POST", "HEAD", "DELETE"].first(where: { start.hasPrefix($0 + " ") })
        else { return }
        latest.withLock { $0 = method }
    }
}
