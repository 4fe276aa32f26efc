import CommandKit
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Settings

/// A server that names the setting to correct if it cannot listen.
struct Listener<App: ApplicationProtocol>: Service {
    let application: App
    let host: String
    let port: Int
    let setting: DeclaredSetting
    /// Whether the service may run without this server.
    var isOptional = false
    let logger: Logger

    /// Checks before anything else starts that the port is free, so that the operator reads about nothing else.
    ///
    /// - Throws: `CommandFailure` if it cannot listen.
    func requirePort() async throws {
        guard !isOptional else { return }
        do {
            let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Accept no connection: nobody would ever answer a client that connects now.
                .serverChannelOption(.autoRead, value: false)
                .bind(host: host, port: port).get()
            try await probe.close()
        } catch let error as IOError {
            throw CommandFailure.port(host, port, setting: setting, errorCode: error.errnoCode)
        }
    }

    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            let failure = CommandFailure.port(host, port, setting: setting, errorCode: error.errnoCode)
            guard isOptional else { throw failure }
            logger.warning("continuing without \(setting.key): \(failure.reason) \(failure.remedy)")
            try? await gracefulShutdown()
        }
    }
}
