import Foundation
import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 in front of PostgreSQL. It loses, holds and delays messages as a test asks.
final class FaultProxy: Sendable {
    struct Behaviour: Sendable {
        /// The proxy passes nothing on in either direction; the connections stay open.
        var isSilent = false
        /// When the client sends this, the server gets it and the client's connection is cut before the answer.
        var cutAfter: String?
        /// When the client sends this, the connections are cut before the server gets it.
        var cutBefore: String?
        /// When the client sends this, the server never gets it, and the connection stays.
        var swallow: String?
        /// The delay of a cancel request.
        var cancelDelay: Duration = .zero
        /// New connections are closed at once.
        var isRefusing = false
    }

    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let behaviour = Mutex(Behaviour())
    private let accepted = Atomic(0)

    init(to target: UInt16) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                self.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var connections: Int { accepted.load(ordering: .relaxed) }

    func set(_ change: (inout Behaviour) -> Void) { behaviour.withLock { change(&$0) } }

    private var now: Behaviour { behaviour.withLock { $0 } }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private func serve(_ client: Int32) {
        accepted.add(1, ordering: .relaxed)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: target)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected, !now.isRefusing else {
            close(client)
            close(server)
            return
        }
        let open = Counter(2)
        let finish: @Sendable () -> Void = {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            guard open.decrement() == 0 else { return }
            close(client)
            close(server)
        }
        Thread.detachNewThread {
            self.pump(from: client, to: server) { data in self.passes(data, from: client, to: server) }
            finish()
        }
        Thread.detachNewThread {
            self.pump(from: server, to: client) { _ in true }
            finish()
        }
    }

    /// Decides whether the client's bytes are passed on.
    private func passes(_ data: ArraySlice<UInt8>, from client: Int32, to server: Int32) -> Bool {
        let behaviour = now
        // A cancel request begins with its length, 16, and the number 80877102.
        if data.starts(with: [0, 0, 0, 16, 4, 210, 22, 46]), behaviour.cancelDelay > .zero {
            usleep(UInt32(behaviour.cancelDelay / .microseconds(1)))
        }
        let text = String(decoding: data, as: UTF8.self)
        if let mark = behaviour.cutBefore, text.contains(mark) { return false }
        if let mark = behaviour.cutAfter, text.contains(mark) {
            shutdown(client, Int32(SHUT_RDWR))
            write(data, to: server)
            usleep(200_000)
            return false
        }
        return true
    }

    private func pump(from source: Int32, to sink: Int32, _ passes: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            while now.isSilent { usleep(10_000) }
            guard passes(buffer[..<count]) else { return }
            if let mark = now.swallow, String(decoding: buffer[..<count], as: UTF8.self).contains(mark) {
                continue
            }
            write(buffer[..<count], to: sink)
        }
    }

    private func write(_ data: ArraySlice<UInt8>, to sink: Int32) {
        var rest = data
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}

/// An atomic number that closures may share.
final class Counter: Sendable {
    private let number: Atomic<Int>

    init(_ start: Int = 0) { number = Atomic(start) }

    var value: Int { number.load(ordering: .acquiring) }
    @discardableResult func increment() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
    @discardableResult func decrement() -> Int {
        number.subtract(1, ordering: .acquiringAndReleasing).newValue
    }
}
