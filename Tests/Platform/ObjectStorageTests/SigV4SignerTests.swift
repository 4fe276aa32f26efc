import Crypto
import Foundation
import ObjectStorage
import Testing

/// The published vectors: AWS's Signature Version 4 test suite, and the examples of the Amazon S3 API
/// Reference, "Authenticating Requests".
@Suite("Signature Version 4")
struct SigV4SignerTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var path = "/"
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var body = ""
        let signedHeaders: String
        let signature: String
        var testDescription: String { name }
    }

    static let suite: [Vector] = [
        Vector(
            name: "get-vanilla", signedHeaders: "host;x-amz-date",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "get-unreserved",
            path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signedHeaders: "host;x-amz-date",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Vector(
            name: "get-utf8", path: "/\u{1234}", signedHeaders: "host;x-amz-date",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Vector(
            name: "get-space", path: "/example space/", signedHeaders: "host;x-amz-date",
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Vector(
            name: "get-vanilla-empty-query-key", query: [("Param1", "value1")],
            signedHeaders: "host;x-amz-date",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Vector(
            name: "get-vanilla-query-order-key-case", query: [("Param2", "value2"), ("Param1", "value1")],
            signedHeaders: "host;x-amz-date",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Vector(
            name: "get-vanilla-query-order-value", query: [("Param1", "value2"), ("Param1", "value1")],
            signedHeaders: "host;x-amz-date",
            signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        Vector(
            name: "get-vanilla-query-unreserved",
            query: [
                (
                    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                )
            ],
            signedHeaders: "host;x-amz-date",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Vector(
            name: "get-vanilla-utf8-query", query: [("\u{1234}", "bar")], signedHeaders: "host;x-amz-date",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Vector(
            name: "get-header-key-duplicate",
            headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Vector(
            name: "get-header-value-order",
            headers: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"),
                ("My-Header1", "value2"),
            ],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Vector(
            name: "get-header-value-trim",
            headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signedHeaders: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Vector(
            name: "post-vanilla", method: "POST", signedHeaders: "host;x-amz-date",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Vector(
            name: "post-header-key-sort", method: "POST", headers: [("My-Header1", "value1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Vector(
            name: "post-header-value-case", method: "POST", headers: [("My-Header1", "VALUE1")],
            signedHeaders: "host;my-header1;x-amz-date",
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Vector(
            name: "post-vanilla-query", method: "POST", query: [("Param1", "value1")],
            signedHeaders: "host;x-amz-date",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Vector(
            name: "post-x-www-form-urlencoded", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
            signedHeaders: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Vector(
            name: "post-x-www-form-urlencoded-parameters", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf8")],
            body: "Param1=value1", signedHeaders: "content-type;host;x-amz-date",
            signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
    ]

    @Test("signs AWS's test suite", arguments: suite)
    func testSuite(vector: Vector) {
        let signer = SigV4Signer(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            region: "us-east-1", service: "service")
        let headers =
            vector.headers + [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")]
        let authorization = signer.authorization(
            for: .init(
                method: vector.method, uri: CanonicalURI(path: vector.path, parameters: vector.query),
                headers: headers, payloadHash: sha256(vector.body)),
            at: Date(timeIntervalSince1970: 1_440_938_160))
        #expect(
            authorization
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)")
    }

    static let s3Examples: [Vector] = [
        Vector(
            name: "GET Object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
            signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Vector(
            name: "PUT Object", method: "PUT", path: "/test$file.text",
            headers: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            body: "Welcome to Amazon S3.",
            signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Vector(
            name: "GET Bucket Lifecycle", query: [("lifecycle", "")],
            signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Vector(
            name: "Get Bucket (List Objects)", query: [("prefix", "J"), ("max-keys", "2")],
            signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test("signs the examples of the S3 documentation", arguments: s3Examples)
    func s3Example(vector: Vector) {
        let hash = sha256(vector.body)
        let authorization = Self.s3.authorization(
            for: .init(
                method: vector.method, uri: CanonicalURI(path: vector.path, parameters: vector.query),
                headers: vector.headers + [
                    ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", hash),
                    ("x-amz-date", "20130524T000000Z"),
                ], payloadHash: hash),
            at: Self.may24)
        #expect(
            authorization.hasSuffix("SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)"))
    }

    @Test("signs the presigned GET of the S3 documentation")
    func presigned() {
        let query = Self.s3.presignedQuery(
            for: .init(
                method: "GET", uri: CanonicalURI(path: "/test.txt"),
                headers: [("Host", "examplebucket.s3.amazonaws.com")],
                payloadHash: SigV4Signer.unsignedPayload),
            at: Self.may24, lifetime: 86_400)
        #expect(
            query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test("a colon in the key id is percent-encoded in a signed URL")
    func colonInKeyID() {
        let signer = SigV4Signer(accessKeyID: "test:tester", secretAccessKey: "s", region: "us-east-1")
        let query = signer.presignedQuery(
            for: .init(
                method: "GET", uri: CanonicalURI(path: "/b/k"), headers: [("Host", "localhost")],
                payloadHash: SigV4Signer.unsignedPayload),
            at: Self.may24, lifetime: 60)
        #expect(query.contains("X-Amz-Credential=test%3Atester%2F20130524%2F"))
    }

    @Test("a key is for one day and one region")
    func signingKeys() {
        let request = SigV4Signer.Request(
            method: "GET", uri: CanonicalURI(path: "/"), headers: [("Host", "h")], payloadHash: sha256(""))
        let other = SigV4Signer(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "s", region: "eu-west-1")
        let key = Self.s3.signingKey(for: Self.may24)
        #expect(key.day == "20130524")
        #expect(Self.s3.signingKey(for: Self.may24.addingTimeInterval(86_400)).day == "20130525")
        #expect(
            Self.s3.authorization(for: request, at: Self.may24)
                == Self.s3.authorization(for: request, at: Self.may24, key: key))
        #expect(
            Self.s3.authorization(for: request, at: Self.may24)
                != Self.s3.authorization(for: request, at: Self.may24, key: other.signingKey(for: Self.may24))
        )
    }

    static let may24 = Date(timeIntervalSince1970: 1_369_353_600)
    static let s3 = SigV4Signer(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        region: "us-east-1")

    private func sha256(_ text: String) -> String {
        SHA256.hash(data: Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
