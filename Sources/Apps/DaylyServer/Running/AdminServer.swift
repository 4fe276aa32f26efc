import Hummingbird
import Logging
import Telemetry

/// The server for operators on the loopback interface: `/metrics` in the text format of Prometheus, `/healthz` and
/// `/readyz`.
enum AdminServer {
    typealias Server = Application<RouterResponder<BasicRequestContext>>

    static let host = "127.0.0.1"

    static func application(
        port: Int, metrics: @escaping @Sendable () -> String, readiness: Readiness, logger: Logger
    ) -> Server {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("/metrics") { _, _ in
            // It updates `dayly_ready`.
            _ = await readiness.failing()
            return Response(
                status: .ok, headers: [.contentType: PrometheusRegistry.contentType],
                body: .init(byteBuffer: ByteBuffer(string: metrics())))
        }
        HealthRoutes(readiness: readiness).addRoutes(to: router)
        return Application(
            router: router, configuration: .init(address: .hostname(host, port: port)), logger: logger)
    }
}
