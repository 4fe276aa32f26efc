import DaylyTesting
import Foundation
import ObjectStorage

/// The load on a cluster that another program runs, and the place of that cluster.
package struct ClusterPlan: Sendable, Codable {
    /// The address of the load balancer.
    package var url: String
    package var databaseURL: String
    package var storeURL: String
    package var bucket: String
    package var accessKeyID: String
    package var secretAccessKey: String
    /// The port on which the fake SMS gateway listens, at every address.
    package var messagesPort: UInt16
    /// Groups of twelve members; every person is in five.
    package var groups: Int
    package var streams: Int
    /// Turns in a second, of all members together. Each sends a photo.
    package var turnsPerSecond: Double
    /// The service's `photos.lifetime` and `photos.url_lifetime`, in seconds.
    package var photoLifetime: Double
    package var urlLifetime: Double
    /// Whether a failed request is sent once more. False shows what a client without retries meets.
    package var retries: Bool
    /// Whether an upload that is sent again carries the key of the first. False shows what the key is for.
    package var keepsKeys: Bool

    func configuration() throws -> S3Configuration {
        guard let endpoint = URL(string: storeURL) else {
            throw ProxyError(description: "\(storeURL) is not a URL")
        }
        return S3Configuration(
            endpoint: endpoint, bucket: bucket, accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
    }
}

/// A request of a client with its one repetition.
package struct ClusterOperation: Sendable, Codable {
    package struct Attempt: Sendable, Codable {
        /// Seconds of Unix time.
        package let start: Double
        package let end: Double
        /// 0 where the answer was lost.
        package let status: Int
    }

    package let kind: String
    package let attempts: [Attempt]
    /// The problem's code in the last answer.
    package let problem: String?
    /// Whether the client got what it wanted by the last attempt.
    package let isDone: Bool
}

/// The result of a run.
package struct ClusterReport: Sendable, Codable {
    package var findings: [String] = []
    package var operations: [ClusterOperation] = []
    package var calls = 0
    package var accepted = 0
    package var streams = 0
    package var events = 0
    package var reconnections = 0
    /// The longest time that a stream was away, in seconds.
    package var longestGap = 0.0
    /// The longest time that an upload waited for the lease of an attempt whose node had died.
    package var longestLease = 0.0
}
