import DaylyServer
import DaylyTesting
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A bucket with every setting, which answers as AWS documents; the real servers of the tests have none of them. It does
/// not verify signatures, but only whether a request has one.
final class FakeBucket: Sendable {
    struct State: Sendable {
        var objects: [String: ByteBuffer] = [:]
        var cacheControls: [String: String] = [:]
        /// By the name of the sub-resource: `lifecycle`.
        var settings: [String: ByteBuffer] = [:]
        /// Decides on the refusal of a request: status and code, or nil to let it pass.
        var refusal: @Sendable (_ method: String, _ target: String, _ body: ByteBuffer) -> (Int, String)? = {
            _, _, _ in nil
        }
        /// Whether anybody may read without a signature.
        var isPublic = false
        /// Whether links never expire.
        var ignoresEnds = false
        /// Whether the bucket still shows an object after its deletion.
        var remembers = false
        /// Whether links return their first answer again, as a cache in front of the bucket would.
        var isCached = false
        var cache: [String: ByteBuffer] = [:]
        /// Whether the bucket, or a proxy in front of it, drops the header by which caches store no picture.
        var dropsCacheControl = false
        /// Whether objects have versions, even if the bucket denies it.
        var hasVersions = false
        /// `METHOD target`
        var log: [String] = []
    }

    let state = Mutex(State())
    private let port = Mutex<Int?>(nil)

    static let unset = [
        "lifecycle": "NoSuchLifecycleConfiguration", "cors": "NoSuchCORSConfiguration",
        "policy": "NoSuchBucketPolicy", "publicAccessBlock": "NoSuchPublicAccessBlockConfiguration",
        "object-lock": "ObjectLockConfigurationNotFoundError",
    ]

    /// The settings of a service that uses it.
    var environment: [String: String] {
        [
            "DAYLY_STORAGE_KIND": "s3",
            "DAYLY_STORAGE_S3_ENDPOINT": "http://127.0.0.1:\(port.withLock { $0 ?? 0 })",
            "DAYLY_STORAGE_S3_BUCKET": "album", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "key",
            "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "a-very-secret-key",
            "DAYLY_HTTP_PUBLIC_URL": "http://photos.example:8080/app",
        ]
    }

    /// The settings once the owner has run the lines that are printed for `environment`.
    static let mended = [
        "lifecycle": """
        <LifecycleConfiguration><Rule><ID>dayly-safety-net</ID><Status>Enabled</Status>\
        <Filter><Prefix>photos/</Prefix></Filter><Expiration><Days>3</Days></Expiration></Rule>\
        <Rule><ID>dayly-doctor-leftovers</ID><Status>Enabled</Status><Filter><Prefix>dayly/doctor/</Prefix></Filter>\
        <Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>
        """,
        "cors": """
        <CORSConfiguration><CORSRule><AllowedOrigin>http://photos.example:8080</AllowedOrigin>\
        <AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedHeader>range</AllowedHeader>\
        <AllowedHeader>if-none-match</AllowedHeader><ExposeHeader>Content-Length</ExposeHeader>\
        <ExposeHeader>Content-Range</ExposeHeader><ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>
        """,
        "publicAccessBlock": """
        <PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls>\
        <IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy>\
        <RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>
        """,
        "policy": """
        {"Statement": [{"Sid": "DaylyRefuseAnonymous", "Effect": "Deny", "Principal": {"AWS": "*"}, "Action": "s3:*",
        "Resource": ["arn:aws:s3:::album", "arn:aws:s3:::album/*"],
        "Condition": {"StringEquals": {"aws:PrincipalType": "Anonymous"}}},
        {"Sid": "DaylyRefuseOldLinks", "Effect": "Deny", "Principal": "*", "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::album/photos/*", "Condition": {
        "StringEquals": {"s3:authType": "REST-QUERY-STRING"}, "NumericGreaterThan": {"s3:signatureAge": "3600000"}}}]}
        """,
    ]

    func set(_ settings: [String: String]) {
        state.withLock { state in
            for (name, text) in settings { state.settings[name] = ByteBuffer(string: text) }
        }
    }

    /// Serves requests until `body` ends.
    static func run(_ body: @Sendable @escaping (FakeBucket) async throws -> Void) async throws {
        let bucket = FakeBucket()
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            return bucket.state.withLock { answer(request, body, &$0) }
        }
        try await serving(responder) { port in
            bucket.port.withLock { $0 = port }
            try await body(bucket)
        }
    }

    private static func answer(_ request: Request, _ body: ByteBuffer, _ state: inout State) -> Response {
        let (method, target) = (request.method.rawValue, request.uri.description)
        state.log.append("\(method) \(target)")
        if let (status, code) = state.refusal(method, target, body) { return error(status, code) }
        guard isAllowed(request, state) else { return error(403, "AccessDenied") }
        guard request.uri.path != "/album" else { return bucket(request, body, &state) }
        let key = String(request.uri.path.dropFirst("/album/".count))
        switch method {
        case "PUT":
            state.objects[key] = body
            state.cacheControls[key] = request.headers[.cacheControl]
            return reply(200)
        case "DELETE":
            state.objects[key] = nil
            return reply(204)
        default:
            let isLink = request.headers[.authorization] == nil
            let cached = state.isCached && isLink ? state.cache[key] : nil
            guard let object = state.objects[key] ?? cached else { return error(404, "NoSuchKey") }
            if isLink { state.cache[key] = object }
            var answer = reply(200, object)
            if !state.dropsCacheControl { answer.headers[.cacheControl] = state.cacheControls[key] }
            let rules = state.settings["cors"].map { String(buffer: $0) } ?? ""
            if let origin = request.headers[.origin],
                rules.contains("<AllowedOrigin>\(origin)</AllowedOrigin>")
            {
                answer.headers[.accessControlAllowOrigin] = origin
            }
            if state.hasVersions, let name = HTTPField.Name("x-amz-version-id") {
                answer.headers[name] = "v1"
            }
            return answer
        }
    }

    private static func isAllowed(_ request: Request, _ state: State) -> Bool {
        guard request.headers[.authorization] == nil, !state.isPublic else { return true }
        let query = request.uri.queryParameters
        guard query["X-Amz-Signature"] != nil, let lifetime = query.get("X-Amz-Expires", as: Double.self),
            let signed = query.get("X-Amz-Date"),
            let date = try? Date(signed, strategy: .iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        else { return false }
        return state.ignoresEnds || date.addingTimeInterval(lifetime) > Date()
    }

    private static func bucket(_ request: Request, _ body: ByteBuffer, _ state: inout State) -> Response {
        let query = request.uri.queryParameters
        if query["delete"] != nil {
            let keys = String(buffer: body).matches(of: /<Key>([^<]*)<\/Key>/).map { String($0.1) }
            if !state.remembers { for key in keys { state.objects[key] = nil } }
            let deleted = keys.map { "<Deleted><Key>\($0)</Key></Deleted>" }.joined()
            return reply(200, ByteBuffer(string: "<DeleteResult>\(deleted)</DeleteResult>"))
        }
        if query["versioning"] != nil {
            let none = ByteBuffer(string: "<VersioningConfiguration/>")
            return reply(200, state.settings["versioning"] ?? none)
        }
        for (name, missing) in unset where query[Substring(name)] != nil {
            return state.settings[name].map { reply(200, $0) } ?? error(404, missing)
        }
        let prefix = query.get("prefix") ?? ""
        let contents = state.objects.filter { $0.key.hasPrefix(prefix) }.map {
            """
            <Contents><Key>\($0.key)</Key><Size>\($0.value.readableBytes)</Size>\
            <LastModified>2025-01-01T00:00:00.000Z</LastModified></Contents>
            """
        }
        return reply(
            200,
            ByteBuffer(
                string:
                    "<ListBucketResult><IsTruncated>false</IsTruncated>\(contents.joined())</ListBucketResult>"
            ))
    }

    private static func error(_ status: Int, _ code: String) -> Response {
        reply(status, ByteBuffer(string: "<Error><Code>\(code)</Code></Error>"))
    }

    private static func reply(_ status: Int, _ body: ByteBuffer = ByteBuffer()) -> Response {
        return Response(
            status: .init(code: status), body: .init(byteBuffer: body))
    }
}
