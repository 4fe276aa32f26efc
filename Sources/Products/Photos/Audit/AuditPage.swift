import ObjectStorage

/// A page of the bucket's listing, and the range of keys that it covers.
struct AuditPage: Sendable {
    let objects: [ObjectListing.Object]
    /// The last key before the page.
    let start: String
    /// The last key of the page; nil for the last page, which covers all keys that follow.
    let end: String?
    /// The continuation with which the page was requested.
    let continuation: String?
    /// The continuation for the next page.
    let next: String?

    /// - Throws: `AuditFailure.disorder`, `ObjectStoreError`.
    static func read(
        after position: AuditPosition, from store: any ObjectStore, _ settings: AuditSettings, pace: AuditPace
    ) async throws -> AuditPage {
        try await pace.waitForRequest()
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
    /// Compares by bytes, which is the order of S3 listings and of the ledger.
    func bytesPrecede(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
