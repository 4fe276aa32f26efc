import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A server that says which setting mends it when it cannot listen.
struct Listener<App: ApplicationProtocol>: Service {
    let application: App
    let host: String
    let port: Int
    let setting: Setting
    /// Whether the service can do without it.
    var isOptional = false
    let logger: Logger

    /// Whether it could listen now: asked before anything is started, so that a port that is taken is all there is
    /// to read about.
    func requirePort() async throws {
        guard !isOptional else { return }
        do {
            let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Accepts nobody: a client that comes now would wait for an answer for ever.
                .serverChannelOption(.autoRead, value: false)
                .bind(host: host, port: port).get()
            try await probe.close()
        } catch let error as IOError {
            throw ServeFailure.port(host, port, setting: setting, errorCode: error.errnoCode)
        }
    }

    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            let failure = ServeFailure.port(host, port, setting: setting, errorCode: error.errnoCode)
            guard isOptional else { throw failure }
            logger.warning("going on without \(setting.key): \(failure.reason) \(failure.remedy)")
            try? await gracefulShutdown()
        }
    }
}
