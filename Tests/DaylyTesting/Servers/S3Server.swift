import Foundation
import ObjectStorage

/// The S3 servers that scripts/test starts.
package enum S3Server: String, CaseIterable, Sendable {
    /// OpenStack Swift with s3api: strict.
    case swift
    /// `rclone serve s3`: lax.
    case rclone

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }

    /// The configuration for a bucket of this name on the server.
    package func configuration(bucket: String) throws -> S3Configuration {
        guard let endpoint = URL(string: try variable("URL")) else {
            throw NotStarted(description: "\(prefix)URL is not a URL")
        }
        return S3Configuration(
            endpoint: endpoint, bucket: bucket, accessKeyID: try variable("KEY"),
            secretAccessKey: try variable("SECRET"))
    }

    /// The server's port on 127.0.0.1.
    package func port() throws -> Int {
        guard let port = URL(string: try variable("URL"))?.port else {
            throw NotStarted(description: "\(prefix)URL is not a URL with a port")
        }
        return port
    }

    private var prefix: String { "DAYLY_TEST_S3_\(rawValue.uppercased())_" }

    private func variable(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[prefix + name], !value.isEmpty else {
            throw NotStarted(description: "\(prefix + name) is not set: run the tests by scripts/test")
        }
        return value
    }
}
