import Foundation
import ObjectStorage

/// The settings that the configured bucket needs: the files of `storage/` with the configured names and times.
struct BucketPlan: Sendable {
    let lifecycle: LifecycleNeeds
    let cors: BucketFiles.CORS
    /// The statements with which the bucket's own policy refuses requests.
    let refusals: [PolicyValue]
    /// The permissions that the service's credentials need.
    let permissions: PolicyDocument
    /// Whether the plan omits the statement against plain HTTP, because an endpoint uses it.
    let allowsPlainHTTP: Bool
    let s3: S3Configuration
    let lines: OwnersLines

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
        self.s3 = s3
        lines = OwnersLines(s3)
        lifecycle = LifecycleNeeds(
            try BucketFiles.lifecycle(), lifetime: configuration.photos.lifetime,
            keepsVersions: s3.deletesVersions)
        cors = try BucketFiles.cors(origin: configuration.http.origin)
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
