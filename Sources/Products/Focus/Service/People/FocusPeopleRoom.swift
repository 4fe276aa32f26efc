import Auth
import FeatureKit
import FocusRules
import HTTPKit
import Postgres

/// Following, the feed, and the pages of nicknames.
struct FocusPeopleRoom: Sendable {
    let service: FocusFollowService
    /// The news that other rooms have for followers.
    let feed: FocusFeedStore
    private let cursors: FocusCursors

    init(platform: Platform, accounts: Accounts, members: FocusMemberStore) {
        service = FocusFollowService(platform: platform, accounts: accounts, members: members)
        feed = FocusFeedStore(postgres: platform.database)
        cursors = FocusCursors(secret: platform.secrets)
    }

    var routes: [Route] { FocusPeopleRoutes(service: service, feed: feed, cursors: cursors).routes }

    /// Takes a change of a user's streaks into the feeds of their followers.
    func streaksChanged(_ tx: PostgresTransaction, _ change: FocusSignals.StreakChange) throws {
        let (added, removed) = (change.days.flatMap(\.added), change.days.flatMap(\.removed))
        guard !added.isEmpty || !removed.isEmpty else { return }
        try feed.change(
            tx, of: change.member.user, added: added.map(FeedStreak.init),
            removed: removed.map(FeedStreak.init))
    }

    /// The people whom the user follows. Their followers chose so themselves, and are left out.
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        ["following": try FocusFollowStore.exported(tx, user)]
    }
}
