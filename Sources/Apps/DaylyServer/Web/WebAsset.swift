import HTTPKit
import Hummingbird
import NIOCore

/// One file of the web client in memory, compressed where that makes it smaller.
struct WebAsset: Sendable {
    private struct Form: Sendable {
        let bytes: ByteBuffer
        let tag: EntityTag
    }

    private let plain: Form
    private let compressed: Form?
    private let type: WebFileType
    private let headers: HTTPFields

    /// - Parameters:
    ///   - digest: of the bytes, in hexadecimal.
    ///   - headers: `Cache-Control` and what else every answer of this file has.
    init(_ bytes: [UInt8], digest: String, type: WebFileType, headers: HTTPFields) {
        self.type = type
        plain = Form(bytes: ByteBuffer(bytes: bytes), tag: EntityTag { $0.append(digest) })
        let packed = type.isText ? Gzip.compress(bytes) : nil
        compressed = packed.flatMap { packed in
            guard packed.count < bytes.count else { return nil }
            // Another tag, because a strong tag names bytes (RFC 9110, 8.8.3.3).
            return Form(bytes: ByteBuffer(bytes: packed), tag: EntityTag { $0.append(digest + " gzip") })
        }
        var headers = headers
        if type.isText { headers[.vary] = "Accept-Encoding" }
        headers[.crossOriginResourcePolicy] = "same-origin"
        self.headers = headers
    }

    func response(to request: Request) -> Response {
        let packed = request.acceptsGzip ? compressed : nil
        let form = packed ?? plain
        var headers = headers
        headers[.eTag] = form.tag.text
        if request.knownTags?.matches(form.tag) == true {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = type.mediaType
        if packed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: form.bytes))
    }
}

extension Request {
    /// Whether the client takes gzip (RFC 9110, 12.5.3). A weight of zero refuses it.
    fileprivate var acceptsGzip: Bool {
        let codings = headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map {
                $0.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            guard parts.first == "gzip" || parts.first == "*" else { return false }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight != 0
        }
    }
}
