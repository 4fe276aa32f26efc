import Crypto
import Foundation
import HTTPKit
import HTTPTypes

/// The headers that confine the web client in the browser.
struct WebHeaders: Sendable {
    let policy: String

    /// - Parameters:
    ///   - bucketOrigin: the origin of signed URLs of pictures, where it is not the service's own.
    ///   - scripts: the texts that stand in the page itself as scripts. Their hashes allow them, and no others.
    init(bucketOrigin: String?, scripts: [String]) {
        let hashes = scripts.map {
            "'sha256-\(Data(SHA256.hash(data: Data($0.utf8))).base64EncodedString())'"
        }
        let script = (["'self'"] + hashes).joined(separator: " ")
        let connect = (["'self'"] + [bucketOrigin].compactMap { $0 }).joined(separator: " ")
        // The client fetches pictures and shows them as blobs, so that images come from no other host.
        policy = """
            default-src 'none'; script-src \(script); style-src 'self'; img-src 'self' blob: data:; \
            connect-src \(connect); manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dayly
            """
    }

    /// For the shell, and for the worker's script, whose policy holds for the worker's own requests.
    func fields(cacheControl: String) -> HTTPFields {
        [
            .cacheControl: cacheControl,
            .contentSecurityPolicy: policy,
            .permissionsPolicy: Self.permissions,
            .crossOriginOpenerPolicy: "same-origin",
            .referrerPolicy: "no-referrer",
        ]
    }

    /// The camera, and codes out of SMS. Everything else that a page may ask for is off.
    private static let permissions =
        (["camera=(self)", "otp-credentials=(self)"]
        + [
            "accelerometer", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
            "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb",
        ].map { "\($0)=()" }).joined(separator: ", ")
}
