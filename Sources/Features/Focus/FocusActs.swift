import Auth
import DaylyAPI
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Jobs
import Postgres
import ServiceLifecycle
import StoreReceipts

/// The rooms in which users act on purpose: sessions, schedules, intentions and the freeze, partners, the tutorial, Pro.
struct FocusActs: Sendable {
    /// A user has lost streaks of intentions, in the transaction of the sync that brought the opens.
    typealias Breaks = @Sendable (PostgresTransaction, FocusMember, [FocusBreak]) throws -> Void

    let settings: FocusSettings
    let platform: Platform
    let accounts: Accounts
    let members: FocusMemberStore
    let receipts: ReceiptVerifier
    var signals = FocusSignals()
    var onBreaks: [Breaks] = []
    /// A user asks another one to become their partner.
    var onPartnerRequest: [@Sendable (_ tx: PostgresTransaction, _ asker: UserID, _ asked: UserID) throws -> Void] =
        []

    init(
        _ settings: FocusSettings, platform: Platform, accounts: Accounts, members: FocusMemberStore,
        receipts: ReceiptVerifier
    ) {
        self.settings = settings
        self.platform = platform
        self.accounts = accounts
        self.members = members
        self.receipts = receipts
    }

    var routes: [Route] {
        FocusSessionRoutes(service: sessions, cursors: FocusCursors(secret: platform.secrets)).routes
            + FocusScheduleRoutes(service: schedules).routes
            + FocusIntentionRoutes(service: intentions).routes
            + FocusPartnerRoutes(service: partners).routes
            + FocusTutorialRoutes(tutorial: tutorial).routes
            + FocusProRoutes(service: pro).routes
    }

    /// The job that loses sessions without an end.
    var ends: FocusEnds {
        FocusEnds(sessions: FocusSessionStore(postgres: platform.jobDatabase), signals: signals)
    }

    // MARK: - For other rooms

    /// The part of intentions in a sync.
    var intentionRoom: FocusIntentionRoom {
        let onBreaks = onBreaks
        return FocusIntentionRoom(
            reach: { tx, member, day in
                var events = try FocusIntentionStore.events(tx, of: member.user)
                events.take(day: day)
                _ = try FocusIntentionStore.save(tx, events, of: member.user)
            },
            open: { tx, member, id, day in
                var events = try FocusIntentionStore.events(tx, of: member.user)
                guard events.open(id, day: day) else { return false }
                let breaks = try FocusIntentionStore.save(tx, events, of: member.user)
                if !breaks.isEmpty { for hook in onBreaks { try hook(tx, member, breaks) } }
                return true
            })
    }

    /// The parts of `GET /now` that these rooms know.
    var nowParts: FocusNowParts.Reading {
        let (store, tutorial) = (FocusSessionStore(postgres: platform.database), tutorial)
        return { tx, member in
            let totals = try FocusLedgerStore.totals(tx, of: member.user)
            let frozen = try FocusFreezeStore.days(tx, of: member.user, from: monday(of: member.today))
            return FocusNowParts(
                session: try store.running(tx, of: member.user).map(FocusSession.init),
                canFreeze: member.isPro && frozen.isEmpty, isFrozenToday: frozen.contains(member.today),
                xp: totals.xp, coins: totals.coins,
                tutorial: try tutorial.progress(tx, of: member.user).rawValue)
        }
    }

    // MARK: - Rooms

    private var ledger: FocusLedger { FocusLedger(signals: signals) }
    private var partitions: FocusPartitions { FocusPartitions(postgres: platform.database) }

    private var sessions: FocusSessionService {
        FocusSessionService(
            members: members, sessions: FocusSessionStore(postgres: platform.database),
            schedules: FocusScheduleStore(), settings: settings, partitions: partitions, ledger: ledger)
    }

    private var schedules: FocusScheduleService {
        FocusScheduleService(
            postgres: platform.database, members: members, schedules: FocusScheduleStore())
    }

    private var intentions: FocusIntentionService {
        FocusIntentionService(postgres: platform.database, members: members, signals: signals)
    }

    private var partners: FocusPartnerService {
        FocusPartnerService(
            postgres: platform.database, accounts: accounts, members: members, rates: platform.rates,
            onRequest: onPartnerRequest)
    }

    private var tutorial: FocusTutorial {
        FocusTutorial(
            postgres: platform.database, members: members, settings: settings, partitions: partitions,
            ledger: ledger)
    }

    private var pro: FocusProService {
        FocusProService(
            postgres: platform.database, members: members, receipts: receipts,
            products: Set(settings.proProducts), rates: platform.rates, signals: signals)
    }
}
