import Foundation
import ObjectStorage

/// The settings that the configured bucket needs: the files of `storage/` with the configured names and times.
struct BucketPlan: Sendable {
    let bucket: String
    let lifecycle: LifecycleNeeds
    let cors: [CORSRule]
    let publicAccessBlock: PublicAccessBlock
    /// The statements with which the bucket's own policy refuses requests.
    let refusals: [PolicyValue]
    /// The permissions that the service's credentials need.
    let permissions: PolicyDocument
    let deletesVersions: Bool
    /// Whether the plan omits the statement against plain HTTP, because an endpoint uses it.
    let allowsPlainHTTP: Bool

    /// The names in the files that configured values replace.
    private enum Placeholder {
        static let arn = "arn:aws:s3:::dayly-photos"
        static let linkAge = "3600000"
    }

    init(_ configuration: ServerConfiguration, _ s3: S3Configuration) throws {
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
        let isPlain = [s3.endpoint, s3.publicEndpoint].contains { $0?.scheme?.lowercased() == "http" }
        allowsPlainHTTP = isPlain
        refusals = try BucketFiles.bucketPolicy().statements
            .filter { !isPlain || $0.sid != "DaylyRefusePlainHTTP" }.map { $0.mapTexts(named) }
        var policy = try BucketFiles.policy()
        policy.statements = policy.statements.filter { s3.deletesVersions || $0.sid != "EveryVersion" }
            .map { $0.mapTexts(named) }
        permissions = policy
    }

    /// The AWS partition, which is part of every ARN.
    private static func partition(of region: String) -> String {
        if region.hasPrefix("cn-") { return "aws-cn" }
        return region.hasPrefix("us-gov-") ? "aws-us-gov" : "aws"
    }
}
