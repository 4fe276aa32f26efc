import FeatureKit
import KeyDerivation
import Logging
import Messaging
import Postgres
import RateLimiting

/// Signing in by a code, and the sessions that come of it.
package struct AuthService: Sendable {
    let postgres: PostgresClient
    let limits: RateLimits
    let tokens: AccessTokens
    let sms: SMSQueue
    let configuration: AuthSettings
    let keys: AuthKeys
    let numbers: PhoneNumberParser
    let timeZones: TimeZoneNames
    let onDelete: [AccountHook]
    let onRename: [AccountHook]
    let exports: [UserDataExport]
    let firewall: CodeFirewall
    let guesses: GuessGuard
    let logger: Logger

    package init(
        postgres: PostgresClient, limits: RateLimits, tokens: AccessTokens, sms: SMSQueue,
        secret: some SecretSource, configuration: AuthSettings, onDelete: [AccountHook] = [],
        onRename: [AccountHook] = [], exports: [UserDataExport] = [],
        logger: Logger = Logger(label: "dayly.auth")
    ) {
        self.postgres = postgres
        self.limits = limits
        self.tokens = tokens
        self.sms = sms
        self.configuration = configuration
        self.onDelete = onDelete
        self.onRename = onRename
        self.exports = exports
        keys = AuthKeys(secret: secret)
        numbers = PhoneNumberParser(countries: configuration.countries)
        timeZones = TimeZoneNames(postgres: postgres)
        self.logger = logger
        let rules = CodeRateLimits(configuration: configuration)
        firewall = CodeFirewall(postgres: postgres, limits: limits, rules: rules)
        guesses = GuessGuard(limits: limits, rules: rules)
    }
}
