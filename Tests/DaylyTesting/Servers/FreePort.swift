import Foundation
import Synchronization

/// A port of 127.0.0.1 that no program listens on, and that this process has not handed out before. It lies below the
/// kernel's range of ephemeral ports: a port of that range may go to somebody's connection, or to a listener on port 0,
/// before the test's program listens there.
///
/// - Throws: `ProxyError` if a thousand ports are taken.
package func freePort() throws -> Int {
    for _ in 0..<1_000 {
        let port = UInt16.random(in: ports)
        guard Socket.canBind(port) else { continue }
        if handedOut.withLock({ $0.insert(port).inserted }) { return Int(port) }
    }
    throw ProxyError(description: "no free TCP port on 127.0.0.1")
}

/// The ports that this process has handed out. A program may not listen on its port yet, or may be starting again.
private let handedOut = Mutex<Set<UInt16>>([])

private let ports: Range<UInt16> = {
    let first: UInt16 = 20_000
    let ephemeral = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
    let low = ephemeral?.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 0
    return first..<(low > first + 1_000 ? low : 32_768)
}()
