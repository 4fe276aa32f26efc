import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit

/// A page of a group's events, each rendered once for all streams.
struct RenderedEvents: Sendable {
    struct Change: Sendable {
        let position: LogPosition
        /// The number of the previous event.
        let previous: Int
        let kind: GroupEventKind?
        let user: UserID?
        /// The fields `event` and `data`; nil if clients do not see the event.
        let text: String?
        /// For the end of a photo that this page added, and that was gone when the page was rendered: the number of its
        /// addition. A client that did not get the one does not get the other.
        let addition: Int?
    }

    let group: GroupID
    /// The current members of the group. Only they get its events.
    let members: Set<UserID>
    let changes: [Change]

    /// The events after `number` for a member, in order. A user who is not a member any more gets only the event that says so.
    func items(for user: UserID, after number: Int) -> [EventItem] {
        guard members.contains(user) else { return [farewell(to: user)] }
        // A member who left and joined again does not get the events in between.
        let joined = changes.last { $0.kind == .memberJoined && $0.user == user }?.position.number ?? 0
        return changes.filter { $0.position.number > number }.map { change in
            let isPassed = change.position.number < joined || change.addition.map { $0 > number } ?? false
            return EventItem(
                group: group, position: change.position, previous: change.previous,
                text: isPassed ? nil : change.text)
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

/// One event for one client.
struct EventItem: Sendable {
    let group: GroupID
    /// Nil for the last event about a group whose member the client's user is not any more.
    let position: LogPosition?
    /// The number of the previous event. It has no meaning without a position.
    let previous: Int
    /// Nil if only the position advances.
    let text: String?

    /// The last event for a user who is not a member of a group any more.
    static func farewell(to user: UserID, from group: GroupID) -> EventItem {
        let event = MemberEvent(groupID: group.resourceID, userID: user.resourceID, firstName: nil)
        return EventItem(
            group: group, position: nil, previous: 0, text: try? EventRenderer.text(.memberLeft, event))
    }
}

/// Renders events as text for server-sent events.
struct EventRenderer: Sendable {
    /// Finds the photos that have not expired, as every member sees them.
    let photos: @Sendable ([UUID]) async throws -> [DaylyAPI.Photo]

    func render(_ pages: [GroupEventPage]) async throws -> [RenderedEvents] {
        let added = pages.flatMap { $0.changes.filter { $0.kind == .photoAdded }.compactMap(\.photo) }
        let shown = Dictionary(
            try await photos(added).map { ($0.id.uuid, $0) }, uniquingKeysWith: { first, _ in first })
        return try pages.map { page in
            // Photos that were added and removed in the meantime are left out.
            let passed = page.changes.filter { $0.kind == .photoAdded }
                .reduce(into: [UUID: Int]()) { numbers, change in
                    guard let photo = change.photo, shown[photo] == nil else { return }
                    numbers[photo] = change.position.number
                }
            return RenderedEvents(
                group: page.group, members: page.members,
                changes: try page.changes.map { change in
                    RenderedEvents.Change(
                        position: change.position, previous: change.previous, kind: change.kind,
                        user: change.user,
                        text: try text(of: change, in: page, shown: shown),
                        addition: change.kind == .photoRemoved ? change.photo.flatMap { passed[$0] } : nil)
                })
        }
    }

    private func text(
        of change: GroupChange, in page: GroupEventPage, shown: [UUID: DaylyAPI.Photo]
    ) throws -> String? {
        let group = page.group.resourceID
        let member = MemberEvent(
            groupID: group, userID: change.user?.resourceID, firstName: change.firstName)
        switch change.kind {
        case .memberJoined: return try Self.text(.memberJoined, member)
        case .memberLeft: return try Self.text(.memberLeft, member)
        case .groupRenamed, .memberRenamed:
            return try Self.text(.groupUpdated, GroupUpdatedEvent(groupID: group, name: page.name))
        case .photoAdded:
            guard let photo = change.photo.flatMap({ shown[$0] }) else { return nil }
            return try Self.text(.photoCreated, PhotoCreatedEvent(groupID: group, photo: photo))
        case .photoRemoved:
            guard let photo = change.photo else { return nil }
            return try Self.text(
                .photoDeleted, PhotoDeletedEvent(groupID: group, photoID: ResourceID(photo)))
        case nil: return nil
        }
    }

    /// The encoder writes JSON without line breaks, so one `data` field suffices.
    static func text(_ name: EventName, _ event: some Encodable) throws -> String {
        let json = String(decoding: try WireJSON.makeEncoder().encode(event), as: UTF8.self)
        return "event: \(name.rawValue)\ndata: \(json)\n"
    }
}

extension GroupID {
    fileprivate var resourceID: ResourceID { ResourceID(rawValue) }
}
