import DaylyAPI
import Foundation

/// The user's groups.
public struct GroupRepository: Sendable {
    let calls: ServiceCalls

    /// All groups, oldest first.
    public func list() async throws(DaylyError) -> [PhotoGroup] {
        try await list(unless: nil).value ?? []
    }

    /// All groups, unless the app has them already.
    public func list(unless version: EntityVersion?) async throws(DaylyError) -> Fetched<[PhotoGroup]> {
        let list: Fetched<GroupList> = try await calls.getIfChanged(.listGroups, unless: version)
        return list.map(\.groups)
    }

    /// Makes a group. The numbers are invited; nobody but its creator is a member yet.
    ///
    /// - Throws: ``DaylyError/groupLimitReached``.
    public func create(
        name: String, inviting phoneNumbers: [String]
    ) async throws(DaylyError) -> GroupCreated {
        try await calls.get(
            .createGroup, json: GroupCreation(name: name, memberPhoneNumbers: phoneNumbers))
    }

    public func get(_ group: ResourceID) async throws(DaylyError) -> PhotoGroup {
        try await calls.get(.getGroup, path: [group.description])
    }

    /// One group, unless the app has it already.
    public func get(
        _ group: ResourceID, unless version: EntityVersion?
    ) async throws(DaylyError) -> Fetched<PhotoGroup> {
        try await calls.getIfChanged(.getGroup, path: [group.description], unless: version)
    }

    public func rename(_ group: ResourceID, to name: String) async throws(DaylyError) -> PhotoGroup {
        try await calls.get(.renameGroup, path: [group.description], json: GroupRename(name: name))
    }

    /// Leaves a group. When the last member leaves, the group and its photos are deleted.
    public func leave(_ group: ResourceID) async throws(DaylyError) {
        try await calls.perform(.leaveGroup, path: [group.description])
    }

    public func remove(_ member: ResourceID, from group: ResourceID) async throws(DaylyError) {
        try await calls.perform(.removeMember, path: [group.description, member.description])
    }

    /// Stops the push messages of a group.
    ///
    /// - Parameters:
    ///   - group: one of the user's groups.
    ///   - end: when messages begin again; without it the group stays muted.
    public func mute(_ group: ResourceID, until end: Date? = nil) async throws(DaylyError) {
        try await calls.perform(
            .muteGroup, path: [group.description], json: GroupMute(muted: true, until: end))
    }

    public func unmute(_ group: ResourceID) async throws(DaylyError) {
        try await calls.perform(.muteGroup, path: [group.description], json: GroupMute(muted: false))
    }
}
