import Auth
import FeatureKit
import HTTPKit
import Postgres

/// Following, the feed, and the pages of nicknames.
struct FocusPeopleRoom: Sendable {
    let service: FocusFollowService
    /// What other rooms tell followers.
    let feed: FocusFeedStore
    private let cursors: FocusCursors

    init(platform: Platform, accounts: Accounts, members: FocusMemberStore) {
        service = FocusFollowService(platform: platform, accounts: accounts, members: members)
        feed = FocusFeedStore(postgres: platform.database)
        cursors = FocusCursors(secret: platform.secrets)
    }

    var routes: [Route] { FocusPeopleRoutes(service: service, feed: feed, cursors: cursors).routes }

    /// The people whom the user follows. Those who follow the user have done so themselves, and are left out.
    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        ["following": try FocusFollowStore.exported(tx, user)]
    }
}
