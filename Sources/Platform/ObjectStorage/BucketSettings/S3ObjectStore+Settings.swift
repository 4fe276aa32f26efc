import NIOCore
import NIOHTTP1

/// The bucket's settings, for `dayly doctor` and `dayly bucket`. Nothing here runs while the service serves photos.
extension S3ObjectStore {
    package func lifecycle() async throws(ObjectStoreError) -> BucketSetting<LifecycleRules> {
        try await tree(.lifecycle).map { LifecycleRules(xml: $0) }
    }

    package func setLifecycle(_ rules: LifecycleRules) async throws(ObjectStoreError) -> BucketChange {
        try await set(.lifecycle, ByteBuffer(string: rules.xml.document))
    }

    package func cors() async throws(ObjectStoreError) -> BucketSetting<CORSRules> {
        try await tree(.cors).map { CORSRules(xml: $0) }
    }

    package func setCORS(_ rules: CORSRules) async throws(ObjectStoreError) -> BucketChange {
        try await set(.cors, ByteBuffer(string: rules.xml.document))
    }

    package func publicAccessBlock() async throws(ObjectStoreError) -> BucketSetting<PublicAccessBlock> {
        try await tree(.publicAccessBlock).map { PublicAccessBlock(xml: $0) }
    }

    package func setPublicAccessBlock(
        _ block: PublicAccessBlock
    ) async throws(ObjectStoreError) -> BucketChange {
        try await set(.publicAccessBlock, ByteBuffer(string: block.xml.document))
    }

    package func policy() async throws(ObjectStoreError) -> BucketSetting<PolicyDocument> {
        try await setting(.policy).map { PolicyDocument(json: $0) }
    }

    package func setPolicy(_ policy: PolicyDocument) async throws(ObjectStoreError) -> BucketChange {
        try await set(.policy, policy.json, contentType: "application/json")
    }

    /// Removes the policy, and only if ``policy()`` shows one: a server that does not know the parameter would delete the
    /// bucket instead.
    package func removePolicy() async throws(ObjectStoreError) {
        guard case .set = try await policy() else { return }
        var request = request(.DELETE)
        request.parameters = [(BucketPart.policy.rawValue, "")]
        _ = try await transport.send(request)
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

    private func set(
        _ part: BucketPart, _ body: ByteBuffer, contentType: String = "application/xml"
    ) async throws(ObjectStoreError) -> BucketChange {
        var request = request(.PUT)
        request.parameters = [(part.rawValue, "")]
        request.headers = [
            ("Content-Type", contentType), ("Content-MD5", ContentMD5.header(ContentMD5.digest(body))),
        ]
        request.body = body
        let response = try await transport.exchange(request)
        guard let failure = S3Failure(response) else { return .accepted }
        if let error = fatal(failure) { throw error }
        return switch failure.status {
        case 401, 403: .forbidden
        case 405, 501: .unsupported
        default: .refused(failure.summary)
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
