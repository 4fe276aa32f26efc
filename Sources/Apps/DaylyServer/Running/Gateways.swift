import Foundation
import HTTPKit
import Logging
import Messaging
import ObjectStorage
import ServiceLifecycle

/// Makes the clients of the object store and of SMS gateways from the configuration.
enum Gateways {
    static func objectStore(
        _ configuration: ServerConfiguration, secrets: Secrets, logger: Logger
    ) throws -> any ObjectStore {
        guard let s3 = configuration.storage.s3 else {
            return FilesystemObjectStore(
                root: configuration.storage.path, publicURL: configuration.http.publicURL,
                secret: secrets.secret, logger: logger)
        }
        return try self.s3(s3, logger: logger)
    }

    static func s3(_ s3: ServerConfiguration.S3, logger: Logger) throws -> S3ObjectStore {
        var configuration = S3Configuration(
            endpoint: try url(s3.endpoint, .s3Endpoint),
            publicEndpoint: try url(s3.publicEndpoint, .s3PublicEndpoint),
            region: s3.region, bucket: s3.bucket, accessKeyID: s3.accessKeyID,
            secretAccessKey: s3.secretAccessKey, pathStyle: s3.pathStyle,
            deletesVersions: s3.deletesVersions, caFile: s3.caFile)
        configuration.maxConnections = s3.maxConnections
        // More than the connections, because calls also wait for a connection or for another attempt.
        configuration.maxCalls = 5 * s3.maxConnections
        return try S3ObjectStore(configuration: configuration, logger: logger)
    }

    /// The gateways of `sms.kind`, in their order.
    static func sms(
        _ configuration: ServerConfiguration, transport: SMSTransport, logger: Logger
    ) throws -> any SMSGateway {
        let gateways: [any SMSGateway] = try configuration.sms.kinds.map { kind in
            switch kind {
            case .console: return ConsoleSMSGateway(logger: logger)
            case .http:
                return HTTPSMSGateway(
                    url: try url(configuration.sms.httpURL ?? "", .smsHTTPURL),
                    token: configuration.sms.httpToken ?? "", transport: transport)
            case .twilio:
                guard let twilio = configuration.sms.twilio else {
                    return ConsoleSMSGateway(logger: logger)
                }
                return TwilioSMSGateway(
                    accountSID: twilio.accountSID, authToken: twilio.authToken,
                    sender: .init(twilio.from), baseURL: try url(twilio.url, .twilioURL), transport: transport
                )
            }
        }
        return FallbackSMSGateway(
            zip(configuration.sms.kinds, gateways).map { .init(name: $0.rawValue, gateway: $1) })
    }

    private static func url(_ text: String, _ setting: Setting) throws -> URL {
        guard let url = URL(string: text) else {
            throw ServeFailure(reason: "\(setting.key) is not a URL.", remedy: "Set \(setting.variable).")
        }
        return url
    }
}

/// A service that only closes something when the others have ended.
struct Closing: Service {
    let close: @Sendable () async throws -> Void

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }
}
