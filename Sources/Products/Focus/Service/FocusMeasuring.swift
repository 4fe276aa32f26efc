import FeatureKit
import HTTPKit
import Postgres
import StoreReceipts

/// The rooms that measure: the profile, the phones, their events, and the days and weeks that follow from them.
struct FocusMeasuring: Sendable {
    let settings: FocusSettings
    let platform: Platform
    let members: FocusMemberStore
    var signals = FocusSignals()
    var intentions = FocusIntentionRoom()
    /// The parts of `GET /now` that other rooms know.
    var parts: FocusNowParts.Reading = { _, _ in FocusNowParts() }
    /// Called in the transaction of a changed profile.
    var onProfileChange: [@Sendable (PostgresTransaction, FocusProfileState) throws -> Void] = []

    init(_ settings: FocusSettings, platform: Platform, members: FocusMemberStore) {
        self.settings = settings
        self.platform = platform
        self.members = members
    }

    var routes: [Route] {
        let now = FocusNowReader(postgres: platform.database, settings: settings, parts: parts)
        return profileRoutes.routes
            + FocusDeviceRoutes(service: devices).routes
            + FocusSyncRoutes(service: syncs(now)).routes
            + FocusDayRoutes(
                service: FocusDayService(postgres: platform.database, members: members), now: now,
                settings: settings
            ).routes
    }

    var departures: [Route] { profileRoutes.departures }

    private var profileRoutes: FocusProfileRoutes {
        FocusProfileRoutes(service: profiles, tokens: AppAccountToken(secret: platform.secrets))
    }

    private var profiles: FocusProfileService {
        FocusProfileService(
            postgres: platform.database, profiles: FocusProfileStore(postgres: platform.database),
            rates: platform.rates, onChange: onProfileChange)
    }

    private var devices: FocusDeviceService {
        FocusDeviceService(
            postgres: platform.database, members: members, devices: FocusDeviceStore(), streaks: streaks,
            settings: settings, rates: platform.rates, signals: signals)
    }

    private var streaks: FocusStreakKeeper {
        FocusStreakKeeper(
            partitions: FocusPartitions(postgres: platform.database), settings: settings, signals: signals)
    }

    private func syncs(_ now: FocusNowReader) -> FocusSyncService {
        FocusSyncService(
            postgres: platform.database, members: members, streaks: streaks, now: now, settings: settings,
            isLimited: platform.rates.enforced, signals: signals, intentions: intentions)
    }
}
