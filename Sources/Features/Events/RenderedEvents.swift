import FeatureKit
import Auth
import DaylyAPI
import Foundation
import Groups
import HTTPKit

/// News of a group, each event written once for all who get it.
struct RenderedEvents: Sendable {
    struct Change: Sendable {
        let position: LogPosition
        /// The number of the event before it.
        let previous: Int
        let kind: GroupEventKind?
        let user: UserID?
        /// The fields `event` and `data`; nil where there is nothing to tell.
        let text: String?
    }

    let group: GroupID
    /// Who is in the group now, and so may hear of it.
    let members: Set<UserID>
    let changes: [Change]

    /// What the user is told of it, in order: what lies after `number`; and for who is no member any more, that he is
    /// none, and nothing else.
    func items(for user: UserID, after number: Int) -> [EventItem] {
        guard members.contains(user) else { return [farewell(to: user)] }
        // What happened while he was away is not for who came back.
        let joined = changes.last { $0.kind == .memberJoined && $0.user == user }?.position.number ?? 0
        return changes.filter { $0.position.number > number }.map { change in
            EventItem(
                group: group, position: change.position, previous: change.previous,
                text: change.position.number < joined ? nil : change.text)
        }
    }

    private func farewell(to user: UserID) -> EventItem {
        let leaving = changes.last { $0.kind == .memberLeft && $0.user == user }
        return EventItem(
            group: group, position: nil, previous: 0,
            text: leaving?.text ?? EventItem.farewell(to: user, from: group).text
        )
    }
}

/// One event on its way to one client.
struct EventItem: Sendable {
    let group: GroupID
    /// Nil for the last one about a group that the client's user is no longer in.
    let position: LogPosition?
    /// The number of the event before it; of no meaning without a position.
    let previous: Int
    /// Nil where only the position goes on.
    let text: String?

    /// For who is no longer in a group.
    static func farewell(to user: UserID, from group: GroupID) -> EventItem {
        let event = MemberEvent(groupID: group.resourceID, userID: user.resourceID, firstName: nil)
        return EventItem(
            group: group, position: nil, previous: 0, text: try? EventRenderer.text(.memberLeft, event))
    }
}

/// Writes events.
struct EventRenderer: Sendable {
    /// Those of the photos that are not expired, as every member sees them.
    let photos: @Sendable ([UUID]) async throws -> [DaylyAPI.Photo]

    func render(_ news: [GroupEventPage]) async throws -> [RenderedEvents] {
        let added = news.flatMap { $0.changes.filter { $0.kind == .photoAdded }.compactMap(\.photo) }
        let shown = Dictionary(
            try await photos(added).map { ($0.id.uuid, $0) }, uniquingKeysWith: { first, _ in first })
        return try news.map { news in
            // What came and went is no news.
            let passed = Set(news.changes.filter { $0.kind == .photoAdded }.compactMap(\.photo))
                .subtracting(shown.keys)
            return RenderedEvents(
                group: news.group, members: news.members,
                changes: try news.changes.map { change in
                    RenderedEvents.Change(
                        position: change.position, previous: change.previous, kind: change.kind,
                        user: change.user,
                        text: try text(of: change, in: news, shown: shown, passed: passed))
                })
        }
    }

    private func text(
        of change: GroupChange, in news: GroupEventPage, shown: [UUID: DaylyAPI.Photo], passed: Set<UUID>
    ) throws -> String? {
        let group = news.group.resourceID
        let member = MemberEvent(
            groupID: group, userID: change.user?.resourceID, firstName: change.firstName)
        switch change.kind {
        case .memberJoined: return try Self.text(.memberJoined, member)
        case .memberLeft: return try Self.text(.memberLeft, member)
        case .groupRenamed, .memberRenamed:
            return try Self.text(.groupUpdated, GroupUpdatedEvent(groupID: group, name: news.name))
        case .photoAdded:
            guard let photo = change.photo.flatMap({ shown[$0] }) else { return nil }
            return try Self.text(.photoCreated, PhotoCreatedEvent(groupID: group, photo: photo))
        case .photoRemoved:
            guard let photo = change.photo, !passed.contains(photo) else { return nil }
            return try Self.text(
                .photoDeleted, PhotoDeletedEvent(groupID: group, photoID: ResourceID(photo)))
        case nil: return nil
        }
    }

    /// JSON has no line breaks of its own, so one `data` field holds it.
    static func text(_ name: EventName, _ event: some Encodable) throws -> String {
        let json = String(decoding: try WireJSON.makeEncoder().encode(event), as: UTF8.self)
        return "event: \(name.rawValue)\ndata: \(json)\n"
    }
}

extension GroupID {
    fileprivate var resourceID: ResourceID { ResourceID(rawValue) }
}
