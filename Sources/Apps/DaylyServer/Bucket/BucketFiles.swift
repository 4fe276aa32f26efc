import CResources
import Foundation
import NIOCore
import ObjectStorage

/// The files of `storage/`, embedded when this was built. They have the format of the AWS command line.
enum BucketFiles {
    private static let exampleOrigin = "https://dayly.example"

    static func lifecycle() throws -> [LifecycleRule] {
        try read(Lifecycle.self, resource_lifecycle()).rules.map {
            LifecycleRule(
                id: $0.id, prefix: $0.filter.prefix, expiration: $0.expiration.days,
                noncurrent: $0.noncurrent?.days, abort: $0.abort?.days)
        }
    }

    /// - Parameter origin: Replaces the origin of the example.
    static func cors(origin: String) throws -> [CORSRule] {
        try read(CORS.self, resource_cors()).rules.map {
            CORSRule(
                id: $0.id, origins: $0.origins.map { $0 == Self.exampleOrigin ? origin : $0 },
                methods: $0.methods, headers: $0.headers,
                exposed: $0.exposed, maxAge: $0.maxAge)
        }
    }

    /// The permissions that the service's credentials need.
    static func policy() throws -> PolicyDocument { try policy(resource_policy()) }

    /// The requests that the bucket refuses to everybody.
    static func bucketPolicy() throws -> PolicyDocument { try policy(resource_bucket_policy()) }

    static func publicAccessBlock() throws -> PublicAccessBlock {
        let switches = try read([String: Bool].self, resource_public_access_block())
        return PublicAccessBlock(Set(switches.filter(\.value).keys))
    }

    private static func policy(_ file: resource) throws -> PolicyDocument {
        guard let policy = PolicyDocument(json: ByteBuffer(bytes: [UInt8](file))) else { throw Unreadable() }
        return policy
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ file: resource) throws -> Value {
        try JSONDecoder().decode(type, from: Data([UInt8](file)))
    }

    private struct Unreadable: Error {}

    private struct Lifecycle: Decodable {
        let rules: [Rule]

        enum CodingKeys: String, CodingKey { case rules = "Rules" }

        struct Rule: Decodable {
            let id: String
            let filter: Filter
            let expiration: Expiration
            let noncurrent: Noncurrent?
            let abort: Abort?

            enum CodingKeys: String, CodingKey {
                case id = "ID"
                case filter = "Filter"
                case expiration = "Expiration"
                case noncurrent = "NoncurrentVersionExpiration"
                case abort = "AbortIncompleteMultipartUpload"
            }
        }

        struct Filter: Decodable {
            let prefix: String
            enum CodingKeys: String, CodingKey { case prefix = "Prefix" }
        }

        struct Expiration: Decodable {
            let days: Int
            enum CodingKeys: String, CodingKey { case days = "Days" }
        }

        struct Noncurrent: Decodable {
            let days: Int
            enum CodingKeys: String, CodingKey { case days = "NoncurrentDays" }
        }

        struct Abort: Decodable {
            let days: Int
            enum CodingKeys: String, CodingKey { case days = "DaysAfterInitiation" }
        }
    }

    private struct CORS: Decodable {
        let rules: [Rule]

        enum CodingKeys: String, CodingKey { case rules = "CORSRules" }

        struct Rule: Decodable {
            let id: String
            let origins: [String]
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
        }
    }
}
