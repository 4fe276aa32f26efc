import Hummingbird
import HummingbirdCore
import ServiceLifecycle

/// Serves on a free port of loopback until `body`, which gets the port, ends.
///
/// The server is shut down in order: one that is cancelled forgets connections that it has accepted and does not serve yet, and
/// for a forgotten one NIO ends the process. Half a second later it cancels requests that still hang.
package func serving<Responder: HTTPResponder, Value: Sendable>(
    _ responder: Responder, by server: HTTPServerBuilder = .http1(),
    _ body: (_ port: Int) async throws -> Value
) async throws -> Value
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
        responder: responder, server: server,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
        logger: .silent)
    var configuration = ServiceGroupConfiguration(
        services: [.init(service: application)], logger: .silent)
    configuration.maximumGracefulShutdownDuration = .milliseconds(500)
    let group = ServiceGroup(configuration: configuration)
    let running = Task {
        defer { port.finish() }
        try await group.run()
    }
    var iterator = ports.makeAsyncIterator()
    guard let number = await iterator.next() else {
        try await running.value
        throw TimedOut(description: "the server ended before it served")
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body(number)) } catch { result = .failure(error) }
    await group.triggerGracefulShutdown()
    _ = await running.result
    return try result.get()
}
