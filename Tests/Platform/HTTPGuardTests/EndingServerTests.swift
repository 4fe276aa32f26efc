import HTTPGuard
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@Suite("The end of a server", .serialized)
struct EndingServerTests {
    /// Opens connections until the server takes no more. The server closes them.
    private func connect(to port: Int) async {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        while (try? await bootstrap.connect(host: "localhost", port: port).get()) != nil {}
    }

    /// Guard: a connection that comes while the server ends does not end the process
    /// (`GuardedHTTPChannel.setup`)
    @Test("connections that come in the moment in which the server ends do not end the process")
    func connectionsAtTheEnd() async throws {
        var options = HTTPServerOptions()
        options.quiesceGrace = .milliseconds(20)
        for _ in 0..<40 {
            let clients = try await TestServer.app(options: options).withPort { port in
                let clients = (0..<8).map { _ in Task { await connect(to: port) } }
                try await Task.sleep(for: .milliseconds(5))
                return clients
            }
            for client in clients { await client.value }
        }
    }
}
