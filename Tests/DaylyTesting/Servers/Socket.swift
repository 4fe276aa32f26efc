import Glibc
import Synchronization

/// A blocking TCP socket on 127.0.0.1, for proxies that have a thread per connection. Closed when it is let go of.
package final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // No program that is started meanwhile keeps it open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Nil when nobody listens there.
    package static func connect(to port: UInt16) -> Socket? {
        let socket = Socket(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = loopback(port)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return connected ? socket : nil
    }

    /// Calls `serve` on a thread of its own for each connection, for as long as the process lives or until `shutDown`.
    ///
    /// - Parameter everywhere: a port to listen on at every address; nil for a free one of 127.0.0.1.
    package static func listen(
        everywhere wanted: UInt16? = nil, _ serve: @escaping @Sendable (Socket) -> Void
    ) throws -> (listener: Socket, port: UInt16) {
        let listener = Socket(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = loopback(wanted ?? 0)
        if wanted != nil { address.sin_addr.s_addr = INADDR_ANY }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.descriptor, $0, length) == 0 && Glibc.listen(listener.descriptor, 256) == 0
                    && getsockname(listener.descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw ProxyError(description: "no port to listen on: errno \(errno)") }
        inThread {
            while true {
                let client = accept(listener.descriptor, nil, nil)
                guard client >= 0 else { return }
                let socket = Socket(client)
                inThread { serve(socket) }
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Whether a program could listen there.
    static func canBind(_ port: UInt16) -> Bool {
        let socket = Socket(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    /// The received bytes, at least one; nil at the end.
    package func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// The other side hears of a broken connection as soon as this is let go of, and not of an orderly end.
    package func breakOff() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Returns when the other side has gone, or after `limit`: what it sends meanwhile is left unread.
    package func waitForEnd(within limit: Duration = .seconds(60)) {
        let deadline = ContinuousClock.now + limit
        // POLLRDHUP of <bits/poll.h>, which Glibc's module leaves out.
        let halfClosed: Int16 = 0x2000
        while ContinuousClock.now < deadline {
            var poller = pollfd(fd: descriptor, events: halfClosed, revents: 0)
            if poll(&poller, 1, 50) != 0 { return }
        }
    }

    /// Which of the two has something to read, or has ended.
    package static func waitForAny(_ first: Socket, _ second: Socket) -> (first: Bool, second: Bool) {
        var pollers = [
            pollfd(fd: first.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&pollers, 2, -1) < 0, errno == EINTR {}
        return (pollers[0].revents != 0, pollers[1].revents != 0)
    }
}

/// Errors of a proxy.
package struct ProxyError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Runs `body` on a thread of its own, with a small stack: there are many.
package func inThread(_ body: @escaping @Sendable () -> Void) {
    let thread = ThreadBody(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 << 10)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var id = pthread_t()
    let failure = pthread_create(
        &id, &attributes,
        { pointer in
            guard let pointer else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
        }, Unmanaged.passRetained(thread).toOpaque())
    precondition(failure == 0, "no thread: \(failure)")
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
