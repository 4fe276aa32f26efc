import Auth
import FeatureKit
import FocusRules
import Postgres
import StoreReceipts

/// The services of Focus, and the parts on which they stand.
extension FocusFeature {
    private var members: FocusMemberStore { FocusMemberStore(postgres: platform.database) }
    private var partitions: FocusPartitions { FocusPartitions(postgres: platform.database) }
    private var seats: FocusLeagueSeats { FocusLeagueSeats(settings: settings) }
    private var ledger: FocusLedger { FocusLedger(seats: seats) }

    // MARK: Measuring

    var profiles: FocusProfileService {
        FocusProfileService(
            postgres: platform.database, profiles: FocusProfileStore(postgres: platform.database),
            rates: platform.rates, reminders: FocusReminders(), seats: seats)
    }

    var devices: FocusDeviceService {
        FocusDeviceService(
            postgres: platform.database, members: members, streaks: streaks,
            settings: settings, rates: platform.rates)
    }

    private var streaks: FocusStreakKeeper {
        FocusStreakKeeper(partitions: partitions, settings: settings, feed: feed, temptations: temptations)
    }

    var syncs: FocusSyncService {
        FocusSyncService(
            postgres: platform.database, members: members, streaks: streaks, now: now, settings: settings,
            isLimited: platform.rates.enforced, seats: seats, notices: partnerNotices)
    }

    var days: FocusDayService { FocusDayService(postgres: platform.database, members: members) }

    var now: FocusNowReader {
        FocusNowReader(postgres: platform.database, settings: settings, tutorial: tutorial)
    }

    // MARK: Acting

    var sessions: FocusSessionService {
        FocusSessionService(
            members: members, sessions: FocusSessionStore(postgres: platform.database),
            settings: settings, partitions: partitions, ledger: ledger,
            rates: platform.rates)
    }

    var schedules: FocusScheduleService {
        FocusScheduleService(
            postgres: platform.database, members: members)
    }

    var intentions: FocusIntentionService {
        FocusIntentionService(postgres: platform.database, members: members)
    }

    var partners: FocusPartnerService {
        FocusPartnerService(
            postgres: platform.database, accounts: accounts, members: members, rates: platform.rates,
            notices: partnerNotices)
    }

    var tutorial: FocusTutorial {
        FocusTutorial(
            postgres: platform.database, members: members, settings: settings, partitions: partitions,
            ledger: ledger)
    }

    var pro: FocusProService {
        FocusProService(
            postgres: platform.database, members: members, receipts: receipts,
            products: Set(settings.proProducts),
            codes: TransactionCodes(secret: platform.secrets, for: "dayly focus transactions v1"),
            rates: platform.rates)
    }

    // MARK: People and messages

    var follows: FocusFollowService {
        FocusFollowService(platform: platform, accounts: accounts, members: members)
    }

    var feed: FocusFeedStore { FocusFeedStore(postgres: platform.database) }

    var temptations: FocusTemptationService {
        FocusTemptationService(members: members, isOn: settings.hasTemptations)
    }

    var partnerNotices: FocusPartnerNotices { FocusPartnerNotices(outbox: outbox) }

    // MARK: Jobs

    /// Loses sessions without an end.
    var ends: FocusEnds { FocusEnds(sessions: FocusSessionStore(postgres: platform.jobDatabase)) }

    var close: FocusClose { FocusClose(postgres: platform.jobDatabase, settings: settings) }

    var purge: FocusPurge { Self.purge(platform.jobDatabase) }
}
