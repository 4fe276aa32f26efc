import Auth
import Foundation
import HTTPKit
import Hummingbird
import Jobs
import Logging
import Messaging
import ObjectStorage
import Postgres
import RateLimiting
import ServiceLifecycle

/// The features, each built once and given what it needs. A new feature is added here.
struct Features: Sendable {
    let sms: SMSQueue
    let auth: AuthService
    let authenticator: Authenticator
    let jobs: [any Service]

    init(
        configuration: ServerConfiguration, secrets: Secrets, database: PostgresClient,
        store: any ObjectStore, sms: SMSQueue, logger: Logger
    ) async throws {
        self.sms = sms
        let limits = RateLimits(
            postgres: database, enforced: configuration.limits.enforceRates, secret: secrets.secret)
        let tokens = AccessTokens(
            keys: try await Self.signingKeys(secrets), issuer: configuration.http.publicURL,
            lifetime: configuration.auth.accessTokenLifetime)
        authenticator = Authenticator(postgres: database, tokens: tokens)
        auth = AuthService(
            postgres: database, limits: limits, tokens: tokens, sms: sms,
            configuration: AuthConfiguration(configuration, secrets: secrets))
        let authSweep = AuthSweep(postgres: database, limits: limits)
        jobs = [
            PeriodicJob(name: "auth_sweep", interval: .seconds(600), logger: logger) {
                try await authSweep.runOnce()
            }
        ]
    }

    func addRoutes(to group: RouterGroup<AppContext>) {
        AuthRoutes(auth: auth, authenticator: authenticator).addRoutes(to: group)
    }

    private static func signingKeys(_ secrets: Secrets) async throws -> SigningKeys {
        do {
            return try await SigningKeys(pems: secrets.signingKeys)
        } catch SigningKeysError.unreadable(let index) {
            throw ServeFailure(
                reason: "File \(index + 1) of auth.signing_keys (DAYLY_AUTH_SIGNING_KEYS) is no P-256 private key.",
                remedy: "Make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out signing.pem")
        }
    }
}

extension AuthConfiguration {
    init(_ configuration: ServerConfiguration, secrets: Secrets) {
        self.init(
            secret: secrets.secret, host: URL(string: configuration.http.publicURL)?.host ?? "localhost",
            androidHash: configuration.sms.androidHash)
        countries = configuration.sms.countries
        codeLifetime = configuration.auth.otpLifetime
        codeAttempts = configuration.auth.otpAttempts
        resendAfter = configuration.auth.otpResendAfter
        refreshTokenLifetime = configuration.auth.refreshTokenLifetime
    }
}
