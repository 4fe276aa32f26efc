import NIOCore

/// The `file` part of a `multipart/form-data` body (RFC 7578). Its bytes are a slice of the body: nothing is copied.
package struct MultipartFile: Sendable {
    package let bytes: ByteBuffer
    package let contentType: String?

    /// Whether a request with this `Content-Type` is `multipart/form-data`.
    package static func isMultipart(_ contentType: String?) -> Bool {
        contentType?.lowercased().hasPrefix("multipart/form-data") ?? false
    }

    /// - Throws: 400 unless the body is well formed and has exactly one part named `file`.
    package init(body: ByteBuffer, contentType: String) throws(Problem) {
        throw .invalidRequest("not yet")
    }
}
