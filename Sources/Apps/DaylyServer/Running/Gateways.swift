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
        return try S3ObjectStore(configuration: s3, logger: logger)
    }

    /// The gateways of `sms.kind`, in their order.
    static func sms(
        _ configuration: ServerConfiguration, transport: SMSTransport, logger: Logger
    ) -> any SMSGateway {
        let gateways: [any SMSGateway] = configuration.sms.kinds.map { kind in
            switch kind {
            case .console: return ConsoleSMSGateway(logger: logger)
            case .http:
                // The checked configuration has a URL wherever `sms.kind` has http.
                return HTTPSMSGateway(
                    url: configuration.sms.httpURL ?? URL(filePath: "/"),
                    token: configuration.sms.httpToken ?? "", transport: transport)
            case .twilio:
                let twilio = configuration.sms.twilioSettings
                return TwilioSMSGateway(
                    accountSID: twilio.accountSID, authToken: twilio.authToken, sender: .init(twilio.sender),
                    baseURL: twilio.url, transport: transport)
            }
        }
        return FallbackSMSGateway(
            zip(configuration.sms.kinds, gateways).map { .init(name: $0.rawValue, gateway: $1) })
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
