import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("A private server")
struct RestartTests {
    @Test("a client serves again after the server restarted, politely or not")
    func restarts() async throws {
        try await withServer { folder, url in
            let client = makeClient(url) { $0.acquireTimeout = .seconds(10) }
            try await client.execute("CREATE TABLE t (id integer)")
            try await client.execute("INSERT INTO t VALUES (1)")
            let listening = Counter()
            let listener = Task {
                for try await _ in client.listen(channel: "c", onListening: { listening.increment() }) {}
            }
            try await eventually { listening.value == 1 }
            let stop = "postgres_stop \"$DIR\"; "
            let kill = "kill -9 $(head -n 1 \"$DIR/data/postmaster.pid\"); "
            let start = "postgres_start \"$DIR\" --no-fsync; postgres_url \"$DIR\""
            for (round, end) in [stop, kill].enumerated() {
                let restarted = try await shell(folder, end + start)
                #expect(restarted.status == 0)
                #expect(restarted.output == url, "it remembers its port")
                #expect(try await client.first("SELECT id FROM t")?.get("id") == 1)
                try await eventually { listening.value == round + 2 }
            }
            listener.cancel()
            await client.close()
        }
    }

    @Test("it chooses another port where its own is taken, and a socket folder where its path is long")
    func otherPlaces() async throws {
        try await withServer(in: String(repeating: "long", count: 25)) { folder, url in
            #expect(try await shell(folder, "postgres_stop \"$DIR\"").status == 0)
            #expect(try await shell(folder, "postgres_running \"$DIR\"").status != 0)
            let port = try #require(URLComponents(string: url)?.port)
            let taken = try Listener(port: UInt16(port))
            let other = try await shell(folder, "postgres_start \"$DIR\"; postgres_url \"$DIR\"")
            taken.close()
            #expect(other.status == 0)
            #expect(URLComponents(string: other.output)?.port != port)
            let socket = try await shell(folder, "postgres_socket_url \"$DIR\" postgres")
            for url in [other.output, socket.output] {
                let client = makeClient(url)
                #expect(try await client.first("SELECT 1 AS x")?.get("x") == 1)
                await client.close()
            }
            #expect(try await shell(folder, "postgres_start \"$DIR\"; postgres_running \"$DIR\"").status == 0)
        }
    }

    @Test("a pid file that names a stranger does not stop a start")
    func stalePid() async throws {
        try await withServer { folder, url in
            let command = """
                kill -9 $(head -n 1 "$DIR/data/postmaster.pid"); sleep 0.5
                sed -i "1s/.*/$$/" "$DIR/data/postmaster.pid"
                postgres_start "$DIR"; postgres_url "$DIR"
                """
            let restarted = try await shell(folder, command)
            #expect(restarted.status == 0)
            #expect(restarted.output == url)
        }
    }
}

/// Holds a port.
private struct Listener {
    private let descriptor: Int32

    init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    && listen(descriptor, 4) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        self.descriptor = descriptor
    }

    func close() { _ = Foundation.close(descriptor) }
}
