import FeatureKit
import HTTPKit
import KeyDerivation
import Logging
import Messaging
import Postgres
import RateLimiting

/// Sign-in by a code, sessions, and the accounts of users.
struct AuthService: Sendable {
    let postgres: PostgresClient
    let users: UserStore
    let sessionStore: SessionStore
    let verifications: VerificationStore
    let limits: RateLimits
    let tokens: AccessTokens
    let sms: SMSQueue
    let configuration: AuthSettings
    let keys: AuthKeys
    let numbers: PhoneNumberParser
    let timeZones: TimeZoneStore
    let onErase: [AccountHook]
    let onRename: [AccountHook]
    let onZoneChange: [ZoneChangeHook]
    let onEviction: [SessionHook]
    let exports: [UserDataExport]
    let firewall: CodeFirewall
    let guesses: GuessGuard
    let work: WorkProofs
    let logger: Logger

    /// - Parameters:
    ///   - secret: the keys for codes and refresh tokens are derived from it.
    ///   - onErase: run before an account's row is deleted, in their order.
    ///   - onEviction: run before sessions end that somebody ends from elsewhere.
    ///   - exports: the data of the other features.
    init(
        postgres: PostgresClient, limits: RateLimits, tokens: AccessTokens, sms: SMSQueue,
        secret: some SecretSource, configuration: AuthSettings, onErase: [AccountHook] = [],
        onRename: [AccountHook] = [], onZoneChange: [ZoneChangeHook] = [], onEviction: [SessionHook] = [],
        exports: [UserDataExport] = [],
        logger: Logger = Logger(label: "dayly.auth")
    ) {
        self.postgres = postgres
        users = UserStore(postgres: postgres)
        sessionStore = SessionStore(postgres: postgres)
        verifications = VerificationStore(postgres: postgres)
        self.limits = limits
        self.tokens = tokens
        self.sms = sms
        self.configuration = configuration
        self.onErase = onErase
        self.onRename = onRename
        self.onZoneChange = onZoneChange
        self.onEviction = onEviction
        self.exports = exports
        keys = AuthKeys(secret: secret)
        numbers = PhoneNumberParser(countries: configuration.countries)
        timeZones = TimeZoneStore(postgres: postgres)
        self.logger = logger
        let rules = CodeRateLimits(configuration: configuration)
        work = WorkProofs(keys: keys.challenges, price: configuration.work)
        firewall = CodeFirewall(postgres: postgres, limits: limits, rules: rules, price: configuration.work)
        guesses = GuessGuard(limits: limits, rules: rules)
    }

    /// The profile, the sessions and the verifications of a user.
    func ownExport(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "user": try users.export(tx, user),
            "sessions": try sessionStore.export(tx, user),
            "verifications": try verifications.export(tx, user),
            "idempotency_keys": try IdempotencyKeyStore.export(tx, user),
        ]
    }
}
