import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct AuditTests {
    @Test("photos, uploads under way and what was just due are in order")
    func inOrder() async throws {
        try await withWorld { world in
            try await world.send()
            _ = try await world.claim(
                UploadAttempt(
                    groupID: world.group, senderID: world.bob, idempotencyKey: nil, bytesSHA256: [], width: 1,
                    height: 1, thumbHash: []))
            let report = try await world.audit.run(delete: true)
            #expect(report.findings.isEmpty && report.objects == 2)
            try await world.expireAll(by: "4 minutes")
            #expect(try await world.audit.run(delete: true).findings.isEmpty)
        }
    }

    @Test("an object without a row is found when it is old enough, and removed when told")
    func orphan() async throws {
        try await withWorld { world in
            let key: ObjectKey = "photos/orphan.jpg"
            try await world.store.put(key, ByteBuffer(string: "x"), contentType: "image/jpeg")
            #expect(try await world.audit.run(delete: true).findings.isEmpty)

            let later = PhotoAudit(
                postgres: world.postgres, objects: AgedListing(store: world.store),
                logger: world.sweeper.logger)
            let finding = AuditFinding(kind: .orphanObject, subject: "photos/orphan.jpg")
            #expect(try await later.run(delete: false).findings == [finding])
            #expect(try await world.store.head(key) != nil)
            #expect(try await later.run(delete: true).findings.map(\.mended) == [true])
            #expect(try await world.store.head(key) == nil)
        }
    }

    @Test("an old object that a row knows is never an orphan")
    func livingObject() async throws {
        try await withWorld { world in
            try await world.send()
            let later = PhotoAudit(
                postgres: world.postgres, objects: AgedListing(store: world.store),
                logger: world.sweeper.logger)
            #expect(try await later.run(delete: true).findings.isEmpty)
            #expect(try await world.storedKeys().count == 2)
        }
    }

    @Test("a photo without its object is found")
    func missing() async throws {
        try await withWorld { world in
            let photo = try await world.send().photo.photo
            _ = try await world.store.delete([photo.thumbnailKey])
            #expect(
                try await world.audit.run(delete: false).findings
                    == [AuditFinding(kind: .missingObject, subject: photo.thumbnailKey.rawValue)])
        }
    }

    @Test("what is more than five minutes late is found")
    func overdue() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll(by: "6 minutes")
            let kinds = try await world.audit.run(delete: false).findings.map(\.kind)
            #expect(
                kinds.sorted { $0.rawValue < $1.rawValue } == [.overdueObject, .overdueObject, .overduePhoto])
        }
    }
}

/// A store whose objects were all written an hour ago.
private struct AgedListing: ObjectStore {
    let store: any ObjectStore

    func list(prefix: String, continuation: String?, limit: Int) async throws(ObjectStoreError)
        -> ObjectListing
    {
        let page = try await store.list(prefix: prefix, continuation: continuation, limit: limit)
        return ObjectListing(
            objects: page.objects.map {
                ObjectListing.Object(key: $0.key, size: $0.size, lastModified: $0.lastModified - 3600)
            }, continuation: page.continuation)
    }

    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError) {
        try await store.put(key, bytes, contentType: contentType)
    }
    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer { try await store.get(key) }
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        try await store.head(key)
    }
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await store.delete(keys)
    }
    func presignedGet(_ key: ObjectKey, signedAt: Date, expiresAt: Date) throws(ObjectStoreError) -> String {
        try store.presignedGet(key, signedAt: signedAt, expiresAt: expiresAt)
    }
    func check() async throws(ObjectStoreError) { try await store.check() }
}
