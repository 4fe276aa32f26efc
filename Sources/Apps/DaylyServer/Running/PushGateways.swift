import CommandKit
import Foundation
import Logging
import Notifications
import Push

/// The clients of the configured push providers, each with its own connections.
struct PushGateways: Sendable {
    let gateways: [PushPlatform: any PushGateway]
    /// The public key for browsers' subscriptions; nil without `push.kind` web.
    let webKey: String?
    private let transports: [PushTransport]
    private let web: WebPushGateway?

    /// - Parameter publicURL: where the pages are that messages to browsers open.
    /// - Throws: `CommandFailure` for keys that are not valid.
    init(_ configuration: PushSettings, publicURL: String, logger: Logger) throws {
        var gateways: [PushPlatform: any PushGateway] = [:]
        var transports: [PushTransport] = []
        if let apns = configuration.apns {
            let transport = try Self.transport(certificateAuthorities: apns.caFile)
            transports.append(transport)
            gateways[.ios] = PushLane(try Self.gateway(apns, transport), logger: logger)
        }
        if let fcm = configuration.fcm {
            let transport = try Self.transport(
                maxConnections: PushLane.Limits().maxConcurrent, certificateAuthorities: nil)
            transports.append(transport)
            gateways[.android] = PushLane(try Self.gateway(fcm, transport), logger: logger)
        }
        let credentials = try configuration.web.map(Self.credentials)
        web = try credentials.map { credentials in
            let text = WebNotificationText(
                publicURL: publicURL, notifications: Features.webNotifications)
            return try WebPushGateway(
                credentials: credentials, relay: configuration.webSettings.relay, logger: logger
            ) { text($0, language: $1) }
        }
        webKey = credentials?.publicKey
        gateways[.web] = web
        self.gateways = gateways
        self.transports = transports
    }

    /// For tests: gateways that stand in for the providers.
    init(_ gateways: [PushPlatform: any PushGateway]) {
        self.gateways = gateways
        transports = []
        webKey = nil
        web = nil
    }

    func shutdown() async throws {
        try await web?.shutdown()
        for transport in transports { try await transport.shutdown() }
    }

    private static func transport(
        maxConnections: Int = 8, certificateAuthorities path: String?
    ) throws -> PushTransport {
        do {
            return try PushTransport(maxConnections: maxConnections, certificateAuthorities: path)
        } catch {
            throw CommandFailure(
                reason: "push.apns.ca_file (DAYLY_PUSH_APNS_CA_FILE) contains no certificates.",
                remedy: "Name a PEM file of the certificates to trust, or leave the setting out.")
        }
    }

    private static func gateway(
        _ apns: APNSSettings, _ transport: PushTransport
    ) throws -> APNSGateway {
        do {
            return try APNSGateway(
                APNSGateway.Configuration(
                    url: apns.url, teamID: apns.teamID, keyID: apns.keyID,
                    key: try String(contentsOfFile: apns.keyPath, encoding: .utf8), topic: apns.topic),
                transport: transport)
        } catch {
            throw CommandFailure(
                reason: "push.apns.key (\(apns.$keyPath.variable)) is not a P-256 private key.",
                remedy: "Name the unchanged .p8 file from the Apple developer account.")
        }
    }

    private static func credentials(_ web: WebPushSettings) throws -> WebPushCredentials {
        do {
            return try WebPushCredentials(
                pem: try String(contentsOfFile: web.keyPath, encoding: .utf8), contact: web.contact)
        } catch {
            throw CommandFailure(
                reason: "push.web.key (\(web.$keyPath.variable)) is not a P-256 private key.",
                remedy: web.$keyPath.remedy)
        }
    }

    private static func gateway(
        _ fcm: FCMSettings, _ transport: PushTransport
    ) throws -> FCMGateway {
        do {
            let file = try Data(contentsOf: URL(fileURLWithPath: fcm.serviceAccountPath))
            guard let account = ServiceAccount(json: file) else { throw PushKeyUnreadable() }
            return try FCMGateway(url: fcm.url, account: account, transport: transport)
        } catch {
            throw CommandFailure(
                reason:
                    "push.fcm.service_account (\(fcm.$serviceAccountPath.variable)) contains no RSA private key.",
                remedy: "Name the unchanged JSON file from the Firebase console.")
        }
    }
}
