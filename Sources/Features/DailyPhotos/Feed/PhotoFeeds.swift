import FeatureKit
import Auth
import DaylyAPI
import Foundation
import Groups
import HTTPKit
import ObjectStorage

/// A feed as a client gets it: photos with URLs, what went, and where to go on.
struct VisibleFeed: Sendable {
    let photos: [VisiblePhoto]
    let removed: [PhotoID]
    let cursor: String
}

extension PhotoService {
    /// What is seen of a group now, and the tag of it.
    func feed(
        group: GroupID, reader: UserID, scope: FeedScope = .all
    ) async throws -> (feed: VisibleFeed, tag: EntityTag) {
        let snapshot = try await photos.feed(group: group, reader: reader, scope: scope)
        let state = snapshot.state
        let feed = VisibleFeed(
            photos: try visible(PhotoSnapshot(photos: snapshot.photos, readAt: state.readAt)), removed: [],
            cursor: cursors.photos(state.position, of: group, for: reader))
        return (feed, tag(of: state, group: group, reader: reader, scope: scope))
    }

    /// The tag alone: one query, and nothing is signed.
    func feedTag(group: GroupID, reader: UserID, scope: FeedScope) async throws -> EntityTag {
        let state = try await photos.feedState(group: group, reader: reader, scope: scope)
        return tag(of: state, group: group, reader: reader, scope: scope)
    }

    /// What came and went after a cursor.
    /// - Throws: `PhotoError.cursorExpired` for whatever is no cursor that this reader can go on from.
    func changes(
        since cursor: String, group: GroupID, reader: UserID
    ) async throws -> VisibleFeed {
        guard let position = cursors.photos(cursor, of: group, for: reader) else {
            // Who is no member is told the same whatever he sends.
            _ = try await photos.feedState(group: group, reader: reader, scope: .all)
            throw PhotoError.cursorExpired
        }
        let changes = try await photos.changes(since: position, group: group, reader: reader)
        return VisibleFeed(
            photos: try visible(changes.photos), removed: changes.removed,
            cursor: cursors.photos(changes.position, of: group, for: reader))
    }

    /// Those of the photos that are not expired, as every member sees them. Who may see them is the caller's to know.
    package func messages(of ids: [UUID]) async throws -> [DaylyAPI.Photo] {
        guard !ids.isEmpty else { return [] }
        return try visible(try await photos.live(ids)).map(\.message)
    }

    /// Names what the feed is made of: the log's number (names, photos that came or went), which photos time has taken
    /// out, the window that URLs are signed in, and what they are signed by. The cursor in it is the reader's own.
    private func tag(
        of state: FeedState, group: GroupID, reader: UserID, scope: FeedScope
    ) -> EntityTag {
        // The first part is the form that feeds are written in: to be counted up with it.
        EntityTag(hashing: [
            "feed 1", "\(scope)", group.rawValue.uuidString, reader.rawValue.uuidString,
            "\(state.position.number) \(state.position.stamp)", "\(state.count)",
            Self.moment(state.nextExpiry), Self.moment(state.oldest),
            Self.moment(urls.windowBegin(at: state.readAt)), urls.signature,
        ])
    }

    private static func moment(_ date: Date?) -> String {
        date.map { "\($0.timeIntervalSince1970)" } ?? "-"
    }
}
