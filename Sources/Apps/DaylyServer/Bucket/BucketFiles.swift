import CResources
import Foundation
import NIOCore
import ObjectStorage

/// The files of `storage/`, embedded when this was built. They have the format of the AWS command line.
enum BucketFiles {
    private static let exampleOrigin = "https://dayly.example"

    static func lifecycle() throws -> Lifecycle { try read(Lifecycle.self, resource_lifecycle()) }

    /// - Parameter origin: Replaces the origin of the example.
    static func cors(origin: String) throws -> CORS {
        var cors = try read(CORS.self, resource_cors())
        for index in cors.rules.indices {
            cors.rules[index].origins = cors.rules[index].origins.map {
                $0 == Self.exampleOrigin ? origin : $0
            }
        }
        return cors
    }

    /// The permissions that the service's credentials need.
    static func policy() throws -> PolicyDocument { try policy(resource_policy()) }

    /// The requests that the bucket refuses to everybody.
    static func bucketPolicy() throws -> PolicyDocument { try policy(resource_bucket_policy()) }

    private static func policy(_ file: resource) throws -> PolicyDocument {
        guard let policy = PolicyDocument(json: ByteBuffer(bytes: [UInt8](file))) else { throw Unreadable() }
        return policy
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ file: resource) throws -> Value {
        try JSONDecoder().decode(type, from: Data([UInt8](file)))
    }

    private struct Unreadable: Error {}

    struct Lifecycle: Codable, Sendable {
        var rules: [Rule]

        enum CodingKeys: String, CodingKey { case rules = "Rules" }

        struct Rule: Codable, Sendable {
            let id: String
            let status: String
            let filter: Filter
            var expiration: Expiration
            var noncurrent: Noncurrent?
            let abort: Abort?

            enum CodingKeys: String, CodingKey {
                case id = "ID"
                case status = "Status"
                case filter = "Filter"
                case expiration = "Expiration"
                case noncurrent = "NoncurrentVersionExpiration"
                case abort = "AbortIncompleteMultipartUpload"
            }
        }

        struct Filter: Codable, Sendable {
            let prefix: String
            enum CodingKeys: String, CodingKey { case prefix = "Prefix" }
        }

        struct Expiration: Codable, Sendable {
            var days: Int
            enum CodingKeys: String, CodingKey { case days = "Days" }
        }

        struct Noncurrent: Codable, Sendable {
            let days: Int
            enum CodingKeys: String, CodingKey { case days = "NoncurrentDays" }
        }

        struct Abort: Codable, Sendable {
            let days: Int
            enum CodingKeys: String, CodingKey { case days = "DaysAfterInitiation" }
        }
    }

    struct CORS: Codable, Sendable {
        var rules: [Rule]

        enum CodingKeys: String, CodingKey { case rules = "CORSRules" }

        struct Rule: Codable, Sendable {
            let id: String
            var origins: [String]
            let methods: [String]
            let headers: [String]
            let exposed: [String]
            let maxAge: Int

            enum CodingKeys: String, CodingKey {
                case id = "ID"
                case origins = "AllowedOrigins"
                case methods = "AllowedMethods"
                case headers = "AllowedHeaders"
                case exposed = "ExposeHeaders"
                case maxAge = "MaxAgeSeconds"
            }

            var rule: CORSRule {
                CORSRule(
                    origins: Set(origins), methods: Set(methods), headers: Set(headers), exposed: Set(exposed)
                )
            }
        }
    }
}
