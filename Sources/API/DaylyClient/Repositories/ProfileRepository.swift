import DaylyAPI
import Foundation

/// The user's own profile, their data and the people whom they block.
public struct ProfileRepository: Sendable {
    let calls: ServiceCalls

    public func get() async throws(DaylyError) -> User {
        let user: User = try await calls.get(.getUser)
        try await calls.session.update(user)
        return user
    }

    /// Changes the members that the patch has.
    public func update(_ patch: UserPatch) async throws(DaylyError) -> User {
        let user: User = try await calls.get(.updateUser, json: patch)
        try await calls.session.update(user)
        return user
    }

    /// Deletes the account and everything in it, and signs this device out.
    public func deleteAccount() async throws(DaylyError) {
        try await calls.perform(.deleteUser)
        _ = try await calls.session.signOut(.accountDeleted)
    }

    /// Everything that the service stores about the user, as a JSON file to save. At most 20 an hour.
    public func export() async throws(DaylyError) -> Data {
        let response = try await calls.send(.exportUser)
        // A file that was cut off is not saved.
        guard (try? JSONSerialization.jsonObject(with: response.body)) != nil else {
            throw .unexpectedAnswer(status: response.status)
        }
        return response.body
    }

    /// The people whom the user blocks, newest first.
    public func blocks() async throws(DaylyError) -> [BlockedUser] {
        let list: BlockList = try await calls.get(.listBlocks)
        return list.blocks
    }

    /// Blocks a person: they leave every group that both are in, and are not told.
    public func block(_ user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.blockUser, path: [user.description])
    }

    /// Ends a block. It brings nobody back into a group.
    public func unblock(_ user: ResourceID) async throws(DaylyError) {
        try await calls.perform(.unblockUser, path: [user.description])
    }
}
