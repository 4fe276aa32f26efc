import FeatureKit
import Foundation
import HTTPKit
import Jobs
import Restoration
import ServiceLifecycle

/// Sign-in by phone number, sessions, and the user's own account.
package struct AuthFeature: Feature {
    /// For restores, which repeat deletions of accounts and ends of sessions.
    let service: AuthService
    private let accounts: Accounts
    private let platform: Platform
    private let settings: AuthSettings
    private let machineClock: @Sendable () -> Date

    /// - Parameters:
    ///   - machineClock: the process's own clock. PostgreSQL's clock must agree with it before a dormant account is deleted.
    ///   - features: all other features. Their hooks run when an account is deleted, is renamed or changes its time zone, and an export of an account
    ///     includes their data.
    package init(
        _ settings: AuthSettings, platform: Platform, accounts: Accounts,
        machineClock: @escaping @Sendable () -> Date = { Date() }, features: [any Feature]
    ) {
        self.accounts = accounts
        self.platform = platform
        self.settings = settings
        self.machineClock = machineClock
        service = AuthService(
            postgres: platform.database, limits: platform.rates, tokens: accounts.tokens, sms: platform.sms,
            secret: platform.secrets, configuration: settings, onErase: features.flatMap(\.onErase),
            onRename: features.flatMap(\.onRename), onZoneChange: features.flatMap(\.onZoneChange),
            onEviction: features.flatMap(\.onEviction), exports: features.flatMap(\.exports),
            logger: platform.logger)
    }

    package var zoneRepair: ZoneRepair {
        ZoneRepair(postgres: platform.database, logger: platform.logger)
    }

    package var routes: [Route] { AuthRoutes(auth: service, browsers: settings.browsers).routes }

    package var jobs: [any Service] {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        let sweep = AuthSweep(postgres: postgres, limits: platform.rates)
        let dormantAccounts = DormantAccounts(
            auth: service, age: settings.dormantAfter, now: machineClock, logger: platform.logger)
        return [
            PeriodicJob(
                name: "auth_sweep", interval: .seconds(600), leases: platform.leases, logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { try await sweep.runOnce() }
            },
            PeriodicJob(
                name: "dormant_accounts", interval: .seconds(3_600), leases: platform.leases,
                logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { try await dormantAccounts.runOnce() }
            },
        ]
    }

    package var exports: [UserDataExport] { [service.ownExport] }

    package var restorations: [RestoreWalk] {
        [
            RestoreWalk("accounts", .journal([.user]), count: \.accounts) { scope, after, limit in
                try await service.eraseAgain(after: after, limit: limit) { scope.journal.contains(.user, $0) }
            },
            RestoreWalk("sessions", .journal([.session]), count: \.sessions) { scope, after, limit in
                try await service.endSessionsAgain(after: after, limit: limit) {
                    scope.journal.contains(.session, $0)
                }
            },
            RestoreWalk("sessions", .endingAll, count: \.sessions) { scope, after, limit in
                try await service.endSessions(after: after, limit: limit, startedBy: scope.until)
            },
            RestoreWalk("codes", .last) { scope, after, limit in
                try await service.endCodes(after: after, limit: limit, madeBy: scope.until)
            },
        ]
    }
}
