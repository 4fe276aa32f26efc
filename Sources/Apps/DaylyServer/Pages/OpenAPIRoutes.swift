import CResources
import HTTPKit
import Hummingbird

/// The OpenAPI description of the HTTP API, embedded when this was built.
package enum OpenAPIDocument {
    package static let bytes: [UInt8] = [UInt8](resource_openapi())

    package static var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// `GET /openapi.yaml`.
struct OpenAPIRoutes: Sendable {
    func addRoutes(to router: some RouterMethods<AppContext>) {
        let buffer = ByteBuffer(bytes: OpenAPIDocument.bytes)
        router.get("/openapi.yaml") { _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "application/yaml; charset=utf-8", .cacheControl: "public, max-age=300",
                ],
                body: .init(byteBuffer: buffer))
        }
    }
}
