import Hummingbird
import Logging
import Telemetry

/// What only operators may see, on the loopback interface: `/metrics` in Prometheus' text format.
enum AdminServer {
    typealias Server = Application<RouterResponder<BasicRequestContext>>

    static let host = "127.0.0.1"

    static func application(
        port: Int, metrics: @escaping @Sendable () -> String, logger: Logger
    ) -> Server {
        let router = Router()
        router.get("/metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: PrometheusRegistry.contentType],
                body: .init(byteBuffer: ByteBuffer(string: metrics())))
        }
        router.get("/healthz") { _, _ in "ok\n" }
        return Application(
            router: router, configuration: .init(address: .hostname(host, port: port)), logger: logger)
    }
}
