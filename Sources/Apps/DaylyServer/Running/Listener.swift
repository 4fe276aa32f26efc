import Hummingbird
import Logging
import NIOCore
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
