import NIOCore

/// A server's answer to a question about a setting of the bucket.
///
/// S3-compatible servers differ in the answer for a setting that they do not have: 501, 405, 400, or a listing of the
/// bucket with status 200.
package enum BucketSetting<Value: Sendable>: Sendable {
    case set(Value)
    /// The server has such a setting, and it is not set.
    case unset
    /// The server has no such setting.
    case unsupported
    /// The server has such a setting, and these credentials may not read it.
    case forbidden

    /// The value that is set, or an empty value when it is not set; `nil` when it cannot be known.
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

/// A setting of a bucket that has a subresource of its own.
enum BucketPart: String, Sendable {
    case versioning
    case objectLock = "object-lock"
    case lifecycle
    case cors
    case policy
    case publicAccessBlock

    /// The root element of a valid answer. A server that ignores the question answers with a listing instead.
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
