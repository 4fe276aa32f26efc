import FocusAPI
import DaylyClient
import DaylyAPI

/// Following, the feed, and partners.
extension FocusRepository {
    /// The people whom the user follows, newest first, 50 at a time.
    public func following(after cursor: String? = nil) async throws(DaylyError) -> FocusPersonPage {
        try await calls.get(.listFocusFollowing, query: [("cursor", cursor)])
    }

    /// The people who follow the user, newest first, 50 at a time.
    public func followers(after cursor: String? = nil) async throws(DaylyError) -> FocusPersonPage {
        try await calls.get(.listFocusFollowers, query: [("cursor", cursor)])
    }

    /// Follows a member of a shared group.
    ///
    /// - Throws: `follow_limit_reached`.
    public func follow(_ user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.followFocusUser, path: [user.description])
    }

    /// Follows somebody by their nickname.
    ///
    /// - Throws: `follow_limit_reached`.
    public func follow(nickname: String) async throws(DaylyError) -> FocusPerson {
        try await calls.get(.followFocusNickname, path: [nickname])
    }

    public func unfollow(_ user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.unfollowFocusUser, path: [user.description])
    }

    public func remove(follower user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.removeFocusFollower, path: [user.description])
    }

    /// The page of a nickname.
    public func person(
        _ nickname: String, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusNickname> {
        try await calls.getIfChanged(.getFocusNickname, path: [nickname], unless: version)
    }

    /// Long streaks and closed weeks of the people whom the user follows, newest first, 50 at a time.
    public func feed(after cursor: String? = nil) async throws(DaylyError) -> FocusFeed {
        try await calls.get(.getFocusFeed, query: [("cursor", cursor)])
    }

    // MARK: Partners

    /// The people who are told when the user breaks a streak, and those whom the user is told about.
    public func partners(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusPartnerList> {
        try await calls.getIfChanged(.listFocusPartners, unless: version)
    }

    /// Asks a member of a shared group to be the user's partner.
    ///
    /// - Throws: `partner_limit_reached`.
    public func ask(partner user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.askFocusPartner, path: [user.description])
    }

    /// Agrees to be somebody's partner.
    public func accept(partner user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.acceptFocusPartner, path: [user.description])
    }

    /// Ends a partnership, or a request, from either side.
    public func end(partner user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.endFocusPartner, path: [user.description])
    }
}
