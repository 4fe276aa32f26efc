import NIOCore
import NIOHTTP1

/// The bucket's settings, for `dayly doctor` and `dayly bucket`. Nothing here runs while the service serves photos.
extension S3ObjectStore {
    package func lifecycle() async throws(ObjectStoreError) -> BucketSetting<LifecycleRules> {
        try await tree(.lifecycle).map { LifecycleRules(xml: $0) }
    }

    package func cors() async throws(ObjectStoreError) -> BucketSetting<CORSRules> {
        try await tree(.cors).map { CORSRules(xml: $0) }
    }

    package func publicAccessBlock() async throws(ObjectStoreError) -> BucketSetting<PublicAccessBlock> {
        try await tree(.publicAccessBlock).map { PublicAccessBlock(xml: $0) }
    }

    package func policy() async throws(ObjectStoreError) -> BucketSetting<PolicyDocument> {
        try await setting(.policy).map { PolicyDocument(json: $0) }
    }

    /// The settings for versions and object locks, as far as the server reports them.
    package func retention() async throws(ObjectStoreError) -> BucketRetention {
        let versioning = try await tree(.versioning)
        let lock = try await tree(.objectLock)
        return BucketRetention(versioning: versioning, lock: lock)
    }

    private func tree(_ part: BucketPart) async throws(ObjectStoreError) -> BucketSetting<XMLTree> {
        try await setting(part).map { body in
            XMLTree(body.readableBytesView).flatMap { $0.name == part.root ? $0 : nil }
        }
    }

    private func setting(_ part: BucketPart) async throws(ObjectStoreError) -> BucketSetting<ByteBuffer> {
        var request = request(.GET)
        request.parameters = [(part.rawValue, "")]
        request.maxResponseBytes = 1 << 20
        let response = try await transport.exchange(request)
        guard let failure = S3Failure(response) else {
            return response.body.readableBytes == 0 ? .unset : .set(response.body)
        }
        if let error = fatal(failure) { throw error }
        return switch failure.status {
        case 401, 403: .forbidden
        // `NoSuchLifecycleConfiguration`, `ObjectLockConfigurationNotFoundError` and the like.
        case 404 where failure.code != "NoSuchKey": .unset
        default: .unsupported
        }
    }

    /// The error of a failure that is not about the setting: the bucket, the credentials or the region is wrong.
    private func fatal(_ failure: S3Failure) -> ObjectStoreError? {
        let isRedirect = (300..<400).contains(failure.status)
        let isBroken = failure.status >= 500 && failure.status != 501
        switch failure.code {
        case "NoSuchBucket", "InvalidAccessKeyId", "SignatureDoesNotMatch", "RequestTimeTooSkewed",
            "AuthorizationHeaderMalformed":
            return failure.error(configuration)
        default: return isRedirect || isBroken ? failure.error(configuration) : nil
        }
    }
}
