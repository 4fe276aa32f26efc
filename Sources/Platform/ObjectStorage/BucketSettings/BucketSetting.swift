import NIOCore

/// A server's answer about a setting of the bucket.
///
/// S3-likes differ in how they say that they have no such thing: 501, 405, 400, or, where they do not know the
/// question at all, a listing of the bucket with status 200.
package enum BucketSetting<Value: Sendable>: Sendable {
    case set(Value)
    /// The server has it, and nothing is set.
    case unset
    /// The server does not have it.
    case unsupported
    /// The server has it, and these credentials may not ask.
    case forbidden

    /// The setting; empty where nothing is set. `nil` when it cannot be known.
    package func value(or empty: Value) -> Value? {
        switch self {
        case .set(let value): value
        case .unset: empty
        case .unsupported, .forbidden: nil
        }
    }

    func map<Other: Sendable>(_ transform: (Value) -> Other?) -> BucketSetting<Other> {
        switch self {
        case .set(let value): transform(value).map { .set($0) } ?? .unsupported
        case .unset: .unset
        case .unsupported: .unsupported
        case .forbidden: .forbidden
        }
    }
}

/// A server's reaction to a setting that it was told.
package enum BucketChange: Sendable, Hashable {
    /// It said yes; whether it keeps it, asking again shows.
    case accepted
    case unsupported
    case forbidden
    /// It has such a setting, and refuses this one; status and code.
    case refused(String)
}

/// A part of a bucket that is read and written by itself.
enum BucketPart: String, Sendable {
    case versioning
    case objectLock = "object-lock"
    case lifecycle
    case cors
    case policy
    case publicAccessBlock

    /// The element that an answer to it must be; a server that ignores the question answers with a listing.
    var root: String {
        switch self {
        case .versioning: "VersioningConfiguration"
        case .objectLock: "ObjectLockConfiguration"
        case .lifecycle: "LifecycleConfiguration"
        case .cors: "CORSConfiguration"
        case .policy: ""
        case .publicAccessBlock: "PublicAccessBlockConfiguration"
        }
    }
}
