import NIOCore

/// The `file` part of a `multipart/form-data` body (RFC 7578). Its bytes are a slice of the body and are not copied.
package struct MultipartFile: Sendable {
    package let bytes: ByteBuffer
    package let contentType: String?

    static let maxParts = 20
    static let maxOtherFieldBytes = 64 << 10
    static let maxPartHeaderBytes = 4 << 10
    static let maxPartHeaderFields = 10

    /// Whether a request with this `Content-Type` is `multipart/form-data`.
    package static func isMultipart(_ contentType: String) -> Bool {
        contentType.prefix { $0 != ";" }.trimmingWhitespace.lowercased() == "multipart/form-data"
    }

    /// - Throws: 400 unless the body is well formed and has exactly one part named `file`. Other parts are ignored, but they
    ///   must be few and small.
    package init(body: ByteBuffer, contentType: String) throws(Problem) {
        guard Self.isMultipart(contentType), let type = HeaderParameters(contentType),
            let boundary = type["boundary"], MultipartScanner.isBoundary(boundary)
        else { throw .badMultipart("Content-Type has no valid boundary.") }

        var scanner = MultipartScanner(body, boundary: boundary)
        guard scanner.skipPreamble() else {
            throw .badMultipart("The body does not contain the boundary.")
        }
        var file: MultipartFile?
        var count = 0
        while !scanner.isAtEnd {
            count += 1
            guard count <= Self.maxParts else {
                throw .badMultipart("There are more than \(Self.maxParts) parts.")
            }
            let part = try PartHeader(scanner.header())
            guard let content = scanner.content() else { throw .badMultipart("The last part does not end.") }
            if part.name == "file" {
                guard file == nil else { throw .badMultipart("There is more than one part named file.") }
                file = MultipartFile(bytes: content, contentType: part.contentType)
            } else if content.readableBytes > Self.maxOtherFieldBytes {
                throw .badMultipart("A part that is not named file is too large.")
            }
        }
        guard let file else { throw .badMultipart("There is no part named file.") }
        self = file
    }

    private init(bytes: ByteBuffer, contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }
}

extension Problem {
    static func badMultipart(_ detail: String) -> Problem {
        .invalidRequest(detail)
    }
}

/// The fields of a part's header that matter. The file name is not read.
private struct PartHeader {
    var name: String
    var contentType: String?

    init(_ lines: [String]) throws(Problem) {
        var name: String?
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), !line.hasPrefix(" "), !line.hasPrefix("\t") else {
                throw .badMultipart("A part's header is malformed.")
            }
            let value = String(line[line.index(after: colon)...].trimmingWhitespace)
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard name == nil, let disposition = HeaderParameters(value), disposition.value == "form-data"
                else {
                    throw .badMultipart("A part's Content-Disposition is not form-data.")
                }
                name = disposition["name"]
            case "content-type":
                contentType = value
            case "content-transfer-encoding":
                guard ["binary", "8bit", "7bit"].contains(value.lowercased()) else {
                    throw .badMultipart("A part has an unsupported Content-Transfer-Encoding.")
                }
            default:
                break
            }
        }
        guard let name else { throw .badMultipart("A part has no name.") }
        self.name = name
    }
}
