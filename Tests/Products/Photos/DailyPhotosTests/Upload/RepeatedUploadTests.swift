import DaylyTesting
import Foundation
import KeyDerivation
import NIOCore
import Postgres
import Testing

@testable import DailyPhotos

@Suite("The fingerprint of an upload's bytes")
struct RepeatedUploadTests {
    /// Guard: only a keyed hash of an upload's bytes is kept, and only with a key (`UploadFingerprints`,
    /// `PhotoService.upload`)
    @Test("no row holds a hash that can be computed from the file alone")
    func keyed() async throws {
        try await withWorld { world in
            let picture = Pictures.png()
            try await world.send(picture, key: "k1")
            let row = try await world.postgres.first("SELECT fingerprint FROM photos")
            let stored: [UInt8] = try #require(try row?.get("fingerprint"))
            let digest = UploadDigest(
                of: try .of(ByteBuffer(bytes: picture)), group: world.group, sender: world.alice)
            let ours = Fixtures.secret
            #expect(UploadFingerprints(secret: ours).matches(stored, digest))
            for other in [[], Fixtures.otherSecret] as [[UInt8]] {
                #expect(!UploadFingerprints(secret: other).matches(stored, digest))
            }
            // The same bytes of another sender look different.
            let bobs = UploadDigest(
                of: try .of(ByteBuffer(bytes: picture)), group: world.group, sender: world.bob)
            #expect(!UploadFingerprints(secret: ours).matches(stored, bobs))
            #expect(
                UploadFingerprints(secret: ServiceSecrets([1], previous: [[2], ours])).matches(stored, digest)
            )
        }
    }

    @Test("the fingerprint is deleted with its photo, and the key stays known")
    func forgotten() async throws {
        try await withTravellingWorld { world, clock in
            try await world.send(key: "k1")
            try await clock.advance(by: .hours(48))
            try await world.sweeper.runOnce()
            #expect(try await world.count("SELECT count(*) FROM photos") == 0)
            let columns = try await world.postgres.query(
                "SELECT column_name::text AS name FROM information_schema.columns WHERE table_name = 'upload_keys'"
            )
            let names = Set(try columns.map { try $0.get("name") as String })
            #expect(names == ["group_id", "sender_id", "key", "photo_id", "created_at"])
            await #expect(throws: PhotoError.photoGone) { try await world.send(key: "k1") }
        }
    }

    /// Guard: only a keyed hash of an upload's bytes is kept, and only with a key (`UploadFingerprints`,
    /// `PhotoService.upload`)
    @Test("without a key no fingerprint is kept")
    func withoutKey() async throws {
        try await withWorld { world in
            try await world.send()
            #expect(try await world.count("SELECT count(*) FROM photos WHERE fingerprint IS NULL") == 1)
        }
    }
}
