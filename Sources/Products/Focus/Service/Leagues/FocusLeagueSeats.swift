import FeatureKit
import FocusRules
import Postgres

/// Gives seats in leagues, and takes them.
struct FocusLeagueSeats: Sendable {
    let settings: FocusSettings

    init(settings: FocusSettings) {
        self.settings = settings
    }

    /// A user with league points gets a seat.
    func pointsGrew(_ tx: PostgresTransaction, _ member: FocusMember) throws {
        try FocusLeagueStore.seatIfDue(tx, member.user, size: settings.leagueSize)
    }

    /// A user who switches leagues on gets a seat; one who switches them off, or gives up the nickname, loses it.
    func profileChanged(_ tx: PostgresTransaction, _ profile: FocusProfileState) throws {
        if profile.isInLeagues {
            try FocusLeagueStore.seatIfDue(tx, profile.member.user, size: settings.leagueSize)
        } else {
            try FocusLeagueStore.deleteOpenSeats(tx, of: profile.member.user)
        }
    }
}
