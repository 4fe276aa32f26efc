import CompanionRules
import HTTPKit
import Notifications
import StoreReceipts

/// The rooms about pets: pets, wallets, recoveries and memorials.
struct CompanionPetRoom: Sendable {
    let core: CompanionCore
    private let totals = CompanionTotals()

    init(core: CompanionCore) {
        self.core = core
    }

    var routes: [Route] {
        let tokens = AppAccountToken(secret: core.platform.secrets)
        let memorials = CompanionMemorialService(postgres: core.postgres, accounts: core.accounts)
        return CompanionPetRoutes(service: pets, tokens: tokens).routes
            + CompanionRecoveryRoutes(service: recoveries, tokens: tokens).routes
            + CompanionWalletRoutes(
                service: CompanionWalletService(accounts: core.accounts), tokens: tokens,
                cursors: core.cursors
            ).routes
            + CompanionMemorialRoutes(service: memorials, cursors: core.cursors).routes
    }

    var pets: CompanionPetService {
        CompanionPetService(
            postgres: core.postgres, accounts: core.accounts, rules: core.settings.petRules, totals: totals)
    }

    private var recoveries: CompanionRecoveryService {
        CompanionRecoveryService(
            postgres: core.postgres, accounts: core.accounts, rules: core.settings.petRules, totals: totals)
    }

    /// Takes the parts of pets and wallets in what is due.
    static func join(
        _ hooks: inout CompanionHooks, _ settings: CompanionSettings, _ notifications: NotificationOutbox
    ) {
        let rules = settings.petRules
        let resets = CompanionPetResets(
            rules: rules, totals: CompanionTotals(),
            notices: CompanionPetNotices(outbox: notifications, rules: rules))
        hooks.onBatchEnded.append(resets.batchEnded)
        hooks.onAward.append(CompanionWalletService.award)
    }
}

extension CompanionSettings {
    var petRules: PetRules {
        PetRules(fedEnergy: fedEnergy, sickAfter: sickAfter, deadAfter: deadAfter)
    }
}
