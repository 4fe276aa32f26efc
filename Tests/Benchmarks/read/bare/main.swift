import Hummingbird
import Logging

/// One route of Hummingbird without any middleware: the least that an answer of the service's HTTP library costs.
///
/// usage: bare PORT
let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
let router = Router()
router.get("/healthz") { _, _ in
    Response(
        status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: #"{"status":"ok"}"#)))
}
let logger = Logger(label: "bare")
let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
try await application.runService()
