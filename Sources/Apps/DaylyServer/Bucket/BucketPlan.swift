import ObjectStorage

/// What the bucket of this configuration needs: the files of `storage/` with its own names and times in them.
struct BucketPlan: Sendable {
    let bucket: String
    let lifecycle: LifecycleNeeds
    let cors: [CORSRule]
    let publicAccessBlock: PublicAccessBlock
    /// What the bucket's own policy is to refuse.
    let refusals: [PolicyValue]
    /// What the service's credentials have to be allowed.
    let permissions: PolicyDocument
    let deletesVersions: Bool
    /// Whether a part of `storage/bucket-policy.json` is left out, because plain http is in use.
    let allowsPlainHTTP: Bool

    /// The names that stand in the files for what is configured.
    private enum Placeholder {
        static let arn = "arn:aws:s3:::dayly-photos"
        static let linkAge = "3600000"
    }

    init(_ configuration: ServerConfiguration, _ s3: ServerConfiguration.S3) throws {
        let arn = "arn:\(Self.partition(of: s3.region)):s3:::\(s3.bucket)"
        let age = String(configuration.photos.urlLifetime.components.seconds * 1_000)
        let named = { (text: String) in
            text == Placeholder.linkAge ? age : text.replacing(Placeholder.arn, with: arn)
        }
        bucket = s3.bucket
        deletesVersions = s3.deletesVersions
        lifecycle = LifecycleNeeds(
            rules: try BucketFiles.lifecycle(), lifetime: configuration.photos.lifetime,
            keepsVersions: s3.deletesVersions)
        cors = try BucketFiles.cors(origin: configuration.http.origin)
        publicAccessBlock = try BucketFiles.publicAccessBlock()
        let isPlain = [s3.endpoint, s3.publicEndpoint].contains { $0.lowercased().hasPrefix("http://") }
        allowsPlainHTTP = isPlain
        refusals = try BucketFiles.bucketPolicy().statements
            .filter { !isPlain || $0.sid != "DaylyRefusePlainHTTP" }.map { $0.mapTexts(named) }
        var policy = try BucketFiles.policy()
        policy.statements = policy.statements.filter { s3.deletesVersions || $0.sid != "EveryVersion" }
            .map { $0.mapTexts(named) }
        permissions = policy
    }

    /// AWS's name for a part of the world, which stands in every ARN.
    private static func partition(of region: String) -> String {
        if region.hasPrefix("cn-") { return "aws-cn" }
        return region.hasPrefix("us-gov-") ? "aws-us-gov" : "aws"
    }
}

extension ServerConfiguration.HTTP {
    /// What a browser calls the service: its public URL without a path.
    var origin: String {
        guard let scheme = publicURL.range(of: "://") else { return publicURL }
        let end = publicURL[scheme.upperBound...].firstIndex(of: "/") ?? publicURL.endIndex
        return String(publicURL[..<end])
    }
}
