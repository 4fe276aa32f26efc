import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import Postgres

/// `/v1/focus/following`, `/followers`, `/people` and `/feed`.
struct FocusPeopleRoutes: Sendable {
    let service: FocusFollowService
    let feed: FocusFeedStore
    let cursors: FocusCursors

    var routes: [Route] {
        [
            Route(.get, "focus/following") { try await list(.following, $0, $1) },
            Route(.put, "focus/following/:user_id", use: follow),
            Route(.delete, "focus/following/:user_id", use: unfollow),
            Route(.put, "focus/following/by-nickname/:nickname", use: followNickname),
            Route(.get, "focus/followers") { try await list(.followers, $0, $1) },
            Route(.delete, "focus/followers/:user_id", use: removeFollower),
            Route(.get, "focus/people/:nickname", use: showNickname),
            Route(.get, "focus/feed", use: showFeed),
        ]
    }

    private func list(
        _ side: FollowSide, _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusPersonPage> {
        let user = try context.requireUser()
        let place = try place(request, side.rawValue, of: user) { FollowPlace($0) }
        let page = try await service.postgres.transaction { tx in
            _ = try service.members.require(tx, user)
            return try service.follows.page(tx, side, of: user, before: place.map { ($0.since, $0.person) })
        }
        return ConditionalJSON(
            FocusPersonPage(
                people: page.entries.map(FocusPerson.init),
                cursor: page.last.map { cursors.text(FollowPlace($0).parts, of: side.rawValue, for: user) }))
    }

    private func follow(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.follow(context.requireID("user_id"), by: user)
        return .noContent
    }

    private func followNickname(_ request: Request, _ context: AppContext) async throws -> Reply<FocusPerson>
    {
        let user = try context.requireUser()
        let follow = try await service.follow(nickname: context.requireParameter("nickname"), by: user)
        return Reply(FocusPerson(follow))
    }

    private func unfollow(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.end(by: user, of: context.requireID("user_id"), wishOf: user)
        return .noContent
    }

    private func removeFollower(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status
    {
        let user = try context.requireUser()
        try await service.end(by: context.requireID("user_id"), of: user, wishOf: user)
        return .noContent
    }

    private func showNickname(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusNickname> {
        let user = try context.requireUser()
        let nickname = try context.requireParameter("nickname")
        let page = try await service.postgres.transaction { tx in
            _ = try service.members.require(tx, user)
            return try FocusPersonStore.page(tx, of: nickname, for: user)
        }
        guard let page else { throw FocusError.notFound }
        return ConditionalJSON(FocusNickname(page))
    }

    private func showFeed(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<
        FocusFeed
    > {
        let user = try context.requireUser()
        let place = try place(request, "feed", of: user) { FeedPlace($0) }
        let page = try await service.postgres.transaction { tx in
            let member = try service.members.require(tx, user)
            if let place, place.isTooOld(at: member.now) { throw FocusError.cursorExpired }
            return try feed.page(tx, for: user, before: place?.id)
        }
        return ConditionalJSON(
            FocusFeed(
                items: page.entries.map(FocusFeedItem.init),
                cursor: page.last.map { cursors.text(FeedPlace($0).parts, of: "feed", for: user) }))
    }

    /// The place after which the page begins; nil for the first page.
    ///
    /// - Throws: `FocusError.cursorExpired`.
    private func place<Place>(
        _ request: Request, _ list: String, of user: UserID, _ read: ([String]) -> Place?
    ) throws(FocusError) -> Place? {
        guard let cursor = request.uri.queryParameters["cursor"] else { return nil }
        guard let place = read(try cursors.parts(of: String(cursor), list, for: user)) else {
            throw .cursorExpired
        }
        return place
    }
}

/// The last person of a page.
private struct FollowPlace: Sendable {
    let since: Date
    let person: UserID

    init(_ follow: FocusFollow) { (since, person) = (follow.since, follow.person) }

    init?(_ parts: [String]) {
        guard parts.count == 2, let seconds = Int(parts[0]), let id = UUID(uuidString: parts[1]) else {
            return nil
        }
        since = Date(timeIntervalSince1970: Double(seconds))
        person = UserID(id)
    }

    var parts: [String] { ["\(Int(since.timeIntervalSince1970))", person.rawValue.uuidString] }
}

/// The last item of a page of the feed.
private struct FeedPlace: Sendable {
    let at: Instant
    let id: UUID

    init(_ entry: FocusFeedEntry) { (at, id) = (entry.at, entry.id) }

    init?(_ parts: [String]) {
        guard parts.count == 2, let at = Int(parts[0]), let id = UUID(uuidString: parts[1]) else {
            return nil
        }
        (self.at, self.id) = (at, id)
    }

    var parts: [String] { ["\(at)", id.uuidString] }

    /// Whether all items after the place have been deleted.
    func isTooOld(at now: Instant) -> Bool { at + 3_600 <= now - Int(FocusFeedStore.lifetime / .seconds(1)) }
}

extension FocusPerson {
    fileprivate init(_ follow: FocusFollow) {
        self.init(
            userID: follow.person.resourceID, nickname: follow.nickname, firstName: follow.firstName,
            since: follow.since)
    }
}

extension FocusNickname {
    fileprivate init(_ page: FocusNicknamePage) {
        self.init(
            userID: page.user.resourceID, nickname: page.nickname, tier: page.tier.rawValue,
            week: isoText(day: page.week), points: Double(points: page.points), streakCount: page.streakCount,
            isFollowed: page.isFollowed)
    }
}

extension FocusFeedItem {
    fileprivate init(_ entry: FocusFeedEntry) {
        var (kind, minutes, week, points, count) = (
            "streak", nil as Int?, nil as String?, nil as Double?, nil as Int?
        )
        switch entry.content {
        case .streak(let seconds): minutes = seconds / 60
        case .week(let monday, let hundredths, let streakCount):
            kind = "week"
            (week, points, count) = (isoText(day: monday), Double(points: hundredths), streakCount)
        }
        self.init(
            id: ResourceID(entry.id), kind: kind, userID: entry.person.resourceID, nickname: entry.nickname,
            firstName: entry.firstName, at: Date(timeIntervalSince1970: Double(entry.at)), minutes: minutes,
            week: week, points: points, streakCount: count)
    }
}
