import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit
import ObjectStorage

/// A feed as a client gets it: photos with URLs, removed photos, and the cursor for the next request.
struct VisibleFeed: Sendable {
    let photos: [VisiblePhoto]
    let removed: [PhotoID]
    let cursor: String
}

extension PhotoService {
    /// The feed of a group with its entity tag.
    func feed(
        group: GroupID, reader: Caller, scope: FeedScope = .all
    ) async throws -> (feed: VisibleFeed, tag: EntityTag) {
        let known = senders[group]
        let snapshot = try await PhotoStore.feed(group: group, reader: reader, scope: scope, known: known)
        senders.keep(snapshot, of: group, scope: scope, known: known)
        let state = snapshot.state
        let feed = VisibleFeed(
            photos: try visible(PhotoSnapshot(photos: snapshot.photos, readAt: state.readAt)), removed: [],
            cursor: cursors.photos(state.position, of: group, for: state.reader))
        return (feed, tag(of: state, group: group, scope: scope))
    }

    /// The entity tag of the feed. It costs one query and signs no URLs.
    func feedTag(group: GroupID, reader: Caller, scope: FeedScope) async throws -> EntityTag {
        let state = try await PhotoStore.feedState(group: group, reader: reader, scope: scope)
        return tag(of: state, group: group, scope: scope)
    }

    /// The photos that were added or removed after a cursor.
    ///
    /// - Throws: `PhotoError.notFound` if the reader is not a member; `.cursorExpired` if the text is not a cursor of this
    ///   reader and group, or the log does not reach back to it.
    func changes(
        since cursor: String, group: GroupID, reader caller: Caller
    ) async throws -> VisibleFeed {
        let reader = try await caller.require()
        guard let position = cursors.photos(cursor, of: group, for: reader) else {
            // A user who is not a member gets the same answer for every cursor.
            _ = try await PhotoStore.feedState(group: group, reader: caller, scope: .all)
            throw PhotoError.cursorExpired
        }
        let changes = try await photos.changes(since: position, group: group, reader: reader)
        return VisibleFeed(
            photos: try visible(changes.photos), removed: changes.removed,
            cursor: cursors.photos(changes.position, of: group, for: reader))
    }

    /// The photos that have not expired, as every member sees them. The caller decides who may see them.
    func messages(of ids: [UUID]) async throws -> [DaylyAPI.Photo] {
        guard !ids.isEmpty else { return [] }
        return try visible(try await photos.live(ids)).map(\.message)
    }

    /// Hashes everything that the feed depends on: the log's number (names, added and removed photos), the photos that have
    /// expired, the window and the key of the URLs' signatures, and the reader, who has cursors of their own.
    private func tag(of state: FeedState, group: GroupID, scope: FeedScope) -> EntityTag {
        EntityTag { tag in
            // The version of the feed's format. Increment it when the format changes.
            tag.append("feed 1")
            tag.append(scope == .today ? 1 : 0)
            tag.append(group.rawValue)
            tag.append(state.reader.rawValue)
            tag.append(state.position.number)
            tag.append(Int(state.position.stamp))
            tag.append(state.count)
            tag.append(state.nextExpiry)
            tag.append(state.oldest)
            tag.append(urls.windowBegin(at: state.readAt))
            tag.append(urls.signature)
        }
    }
}
