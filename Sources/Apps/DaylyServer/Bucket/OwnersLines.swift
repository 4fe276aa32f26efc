import Foundation
import NIOCore
import ObjectStorage

/// The lines by which the bucket's owner mends it: `aws` on every server of the S3 API, and `mc` where it can too.
struct OwnersLines: Sendable {
    private let bucket: String
    /// nil for AWS, whose command line knows it.
    private let endpoint: String?

    init(_ s3: S3Configuration) {
        bucket = s3.bucket
        let host = s3.endpoint.host() ?? ""
        let isAmazon = host.hasSuffix(".amazonaws.com") || host.hasSuffix(".amazonaws.com.cn")
        endpoint = isAmazon ? nil : s3.endpoint.absoluteString
    }

    /// - Parameters:
    ///   - command: `put-bucket-cors`
    ///   - arguments: Each but for options is quoted for a shell.
    func aws(_ command: String, _ arguments: String...) -> String {
        let options = ["--bucket", bucket] + (endpoint.map { ["--endpoint-url", $0] } ?? []) + arguments
        return "aws s3api \(command) " + options.map(Self.quoted).joined(separator: " ")
    }

    /// `ALIAS` is the server's name in the configuration of `mc`.
    func mc(_ command: String, _ arguments: String...) -> String {
        let words = arguments.map(Self.quoted) + ["ALIAS/\(bucket)"]
        return "mc \(command) " + words.joined(separator: " ")
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:=,".utf8.contains(byte)
        }
        return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
