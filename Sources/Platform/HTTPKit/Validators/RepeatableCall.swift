import Crypto
import Foundation
import Hummingbird
import NIOCore

/// A call that makes something and that its client may repeat under the same `Idempotency-Key`, because the answer was lost.
package struct RepeatableCall: Sendable, Hashable {
    /// The path of the request: the same key under another path is another call.
    package let path: String
    package let key: IdempotencyKey
    /// A digest of the bytes of the body.
    package let digest: [UInt8]

    package init(path: String, key: IdempotencyKey, body: [UInt8]) {
        // Ids in a path may be written in either case.
        self.path = path.lowercased()
        self.key = key
        digest = Array(SHA256.hash(data: body))
    }
}

extension Request {
    /// As `decodeJSON`, with the key by which the client may repeat the call; nil without `Idempotency-Key`.
    package func decodeRepeatableJSON<Body: Decodable>(
        _ type: Body.Type = Body.self, context: AppContext, maxBytes: Int = 64 << 10
    ) async throws -> (body: Body, call: RepeatableCall?) {
        let key = try idempotencyKey()
        let bytes = try await readJSON(context: context, maxBytes: maxBytes)
        return (try Self.decode(bytes), key.map { RepeatableCall(path: uri.path, key: $0, body: bytes) })
    }

    /// As `decodeRepeatableJSON`, for a call that must not have its effect twice and so needs the key.
    ///
    /// - Throws: 400 without `Idempotency-Key`.
    package func decodeKeyedJSON<Body: Decodable>(
        _ type: Body.Type = Body.self, context: AppContext, maxBytes: Int = 64 << 10
    ) async throws -> (body: Body, call: RepeatableCall) {
        let (body, call) = try await decodeRepeatableJSON(type, context: context, maxBytes: maxBytes)
        guard let call else { throw Problem.invalidRequest("This call needs an Idempotency-Key.") }
        return (body, call)
    }

    /// The key by which the client may repeat a call that needs no body; nil without `Idempotency-Key`.
    package func repeatableCall(context: AppContext) async throws -> RepeatableCall? {
        guard let key = try idempotencyKey() else { return nil }
        let body = try await readBody(maxBytes: 64 << 10, tooLarge: nil, context: context)
        return RepeatableCall(path: uri.path, key: key, body: Array(body.readableBytesView))
    }

    /// As `decodeJSON`, for a body that the client may leave out.
    package func decodeJSONIfPresent<Body: Decodable>(
        _ type: Body.Type = Body.self, context: AppContext
    ) async throws -> Body? {
        let bytes = try await readJSON(context: context, maxBytes: 64 << 10)
        return bytes.isEmpty ? nil : try Self.decode(bytes)
    }
}
