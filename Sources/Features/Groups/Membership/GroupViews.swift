import Auth
import FeatureKit
import Postgres
import Resilience

/// Reads groups for their members. It keeps the lists of members that it read last, so that a group whose log has not grown
/// costs no look at them.
struct GroupViews: Sendable {
    /// A group at one position of its log. Joining, leaving and renaming oneself are events, so its members do not change.
    private struct GroupState: Hashable, Sendable {
        let group: GroupID
        let position: LogPosition

        init(_ summary: GroupSummary) {
            group = summary.id
            position = summary.position
        }
    }

    /// A list of twelve takes some 1,000 bytes. Names should not stay in memory long after they are gone.
    private let members = BoundedCache<GroupState, [GroupMember]>(capacity: 10_000, idleTime: .seconds(3_600))

    /// All groups of the caller without their members, oldest first, or one of them.
    ///
    /// - Throws: `GroupError.notFound` unless the caller is in that group.
    func summaries(for caller: Caller, only group: GroupID? = nil) async throws -> [GroupSummary] {
        let rows =
            if let group {
                try await caller.query(GroupStore.oneSummary) { [$0.rawValue, group.rawValue] }.rows
            } else {
                try await caller.query(GroupStore.summaries) { [$0.rawValue] }.rows
            }
        if group != nil, rows.isEmpty { throw GroupError.notFound }
        return try GroupSummary.all(in: rows)
    }

    /// The same groups with their members. If the members of one are not known, everything is read again by one statement,
    /// so that no group is seen in part.
    func views(
        of summaries: [GroupSummary], for caller: Caller, only group: GroupID? = nil
    ) async throws -> [GroupView] {
        let known = summaries.compactMap { summary in
            members[GroupState(summary)].map { GroupView(summary: summary, members: $0) }
        }
        if known.count == summaries.count { return known }
        let rows = try await caller.query { GroupStore.viewQuery(for: $0, only: group) }.rows
        if group != nil, rows.isEmpty { throw GroupError.notFound }
        let views = try rows.map(GroupStore.view)
        for view in views where view.summary.position.number > 0 {
            members.insert(view.members, for: GroupState(view.summary))
        }
        return views
    }
}
