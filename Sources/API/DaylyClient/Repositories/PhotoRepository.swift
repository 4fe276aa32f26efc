import DaylyAPI
import Foundation

/// The photos of the user's groups.
public struct PhotoRepository: Sendable {
    let calls: ServiceCalls

    /// All photos of a group that have not expired, oldest first; with a cursor the changes since it.
    ///
    /// - Parameters:
    ///   - group: one of the user's groups.
    ///   - cursor: of the last feed. When it is too old the error is `cursor_expired`: fetch without it.
    ///   - version: of the last feed.
    public func feed(
        of group: ResourceID, since cursor: String? = nil, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<DaylyAPI.PhotoFeed> {
        try await calls.getIfChanged(
            .listPhotos, path: [group.description], query: [("since", cursor)], unless: version)
    }

    /// The photos that a group got in the last 24 hours.
    public func today(
        in group: ResourceID, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<DaylyAPI.PhotoFeed> {
        try await calls.getIfChanged(.listTodaysPhotos, path: [group.description], unless: version)
    }

    public func get(_ photo: ResourceID) async throws(DaylyError) -> Photo {
        try await calls.get(.getPhoto, path: [photo.description])
    }

    /// Deletes a photo of the user's own. The day stays used.
    public func delete(_ photo: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deletePhoto, path: [photo.description])
    }

    /// A token for one upload that outlives the access token.
    public func uploadTicket(
        for key: String, in group: ResourceID
    ) async throws(DaylyError) -> UploadTicket {
        try await calls.get(
            .createUploadTicket, path: [group.description],
            json: UploadTicketRequest(idempotencyKey: key))
    }
}
