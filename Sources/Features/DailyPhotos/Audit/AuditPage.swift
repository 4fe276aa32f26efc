import ObjectStorage

/// A page of the listing, and the range of keys that it speaks for.
struct AuditPage: Sendable {
    let objects: [ObjectListing.Object]
    /// The last key before it.
    let start: String
    /// Its last key; nil where it is the last page, which speaks for all that follows.
    let end: String?
    /// How the store was asked for it, and is to be asked for the next one.
    let continuation: String?
    let next: String?

    /// - Throws: `AuditFailure.disorder`, `ObjectStoreError`.
    static func read(
        after position: AuditPosition, from store: any ObjectStore, _ settings: AuditSettings, pace: AuditPace
    ) async throws -> AuditPage {
        try await pace.turn()
        let page = try await store.list(
            prefix: PhotoAudit.prefix, continuation: position.continuation, limit: settings.pageSize)
        var last = position.lastKey
        for object in page.objects {
            guard last.bytesPrecede(object.key.rawValue) else { throw AuditFailure.disorder }
            last = object.key.rawValue
        }
        return AuditPage(
            objects: page.objects, start: position.lastKey, end: page.continuation == nil ? nil : last,
            continuation: position.continuation, next: page.continuation)
    }
}

extension String {
    /// In the order of bytes, as stores list and the ledger is sorted.
    func bytesPrecede(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
