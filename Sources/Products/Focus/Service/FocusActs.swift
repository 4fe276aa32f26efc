import FocusAPI
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
    let settings: FocusSettings
    let platform: Platform
    let accounts: Accounts
    let members: FocusMemberStore
    let receipts: ReceiptVerifier
    var signals = FocusSignals()
    let notices: FocusPartnerNotices

    init(
        _ settings: FocusSettings, platform: Platform, accounts: Accounts, members: FocusMemberStore,
        receipts: ReceiptVerifier, notices: FocusPartnerNotices
    ) {
        self.settings = settings
        self.platform = platform
        self.accounts = accounts
        self.members = members
        self.receipts = receipts
        self.notices = notices
    }

    var routes: [Route] {
        FocusSessionRoutes(service: sessions, cursors: FocusCursors(secret: platform.secrets)).routes
            + FocusScheduleRoutes(service: schedules).routes
            + FocusIntentionRoutes(service: intentions).routes
            + FocusPartnerRoutes(service: partners).routes
            + FocusTutorialRoutes(tutorial: tutorial).routes
            + FocusProRoutes(service: pro).routes
    }

    var jobs: [any Service] {
        let (ends, postgres, clocks) = (ends, platform.jobDatabase, platform.clocks)
        return [
            PeriodicJob(name: "focus_ends", interval: .seconds(60), logger: platform.logger) {
                try await clocks.whileAgreed(postgres) { _ = try await ends.runOnce() }
            }
        ]
    }

    /// The job that loses sessions without an end.
    var ends: FocusEnds {
        FocusEnds(sessions: FocusSessionStore(postgres: platform.jobDatabase), signals: signals)
    }

    // MARK: - For other rooms

    /// The part of intentions in a sync.
    var intentionRoom: FocusIntentionRoom {
        let notices = notices
        return FocusIntentionRoom(
            load: { tx, member in try FocusIntentionStore.events(tx, of: member.user) },
            save: { tx, member, events in
                for lost in try FocusIntentionStore.save(tx, events, of: member.user) {
                    try notices.streakBroke(
                        tx, of: member, intention: lost.intention.rawValue, on: lost.day,
                        partners: try FocusPartnerStore.accepted(tx, of: member.user))
                }
            })
    }

    /// The parts of `GET /now` that these rooms know.
    var nowParts: FocusNowParts.Reading {
        let tutorial = tutorial
        return { tx, member in
            let acts = try FocusActStore.state(tx, of: member)
            return FocusNowParts(
                session: acts.session.map(FocusSession.init),
                canFreeze: member.isPro && acts.frozenDay == nil,
                isFrozenToday: acts.frozenDay == member.today, xp: acts.totals.xp, coins: acts.totals.coins,
                tutorial: tutorial.progress(of: member.user, isPaid: acts.hasTutorial).rawValue)
        }
    }

    // MARK: - Rooms

    private var ledger: FocusLedger { FocusLedger(signals: signals) }
    private var partitions: FocusPartitions { FocusPartitions(postgres: platform.database) }

    private var sessions: FocusSessionService {
        FocusSessionService(
            members: members, sessions: FocusSessionStore(postgres: platform.database),
            schedules: FocusScheduleStore(), settings: settings, partitions: partitions, ledger: ledger,
            rates: platform.rates)
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
            notices: notices)
    }

    private var tutorial: FocusTutorial {
        FocusTutorial(
            postgres: platform.database, members: members, settings: settings, partitions: partitions,
            ledger: ledger)
    }

    var pro: FocusProService {
        FocusProService(
            postgres: platform.database, members: members, receipts: receipts,
            products: Set(settings.proProducts),
            codes: TransactionCodes(secret: platform.secrets, for: "dayly focus transactions v1"),
            rates: platform.rates, signals: signals)
    }
}
