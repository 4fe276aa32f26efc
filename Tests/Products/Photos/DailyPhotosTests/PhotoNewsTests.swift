import Foundation
import Notifications
import Postgres
import Push
import Testing

@testable import DailyPhotos

@Suite("Notifications of photos")
struct PhotoNewsTests {
    @Test("the notification is written in the transaction that accepts the photo, and in no other")
    func written() async throws {
        try await withWorld { world in
            var uploads = world.uploads
            uploads.notifications = NotificationOutbox(platforms: [.ios])
            let attempt = world.attempt()
            let lost = try await world.claim(attempt)
            try await world.endLeases()
            await #expect(throws: PhotoError.self) { try await uploads.accept(lost, of: attempt) }
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 0)
            let claim = try await world.claim(attempt)
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 0)
            _ = try await uploads.accept(claim, of: attempt)
            let rows = try await world.count(
                """
                SELECT count(*) AS count FROM outbox
                WHERE topic = 'news' AND user_id = \(world.alice) AND due_at <= now()
                    AND payload ->> 'subject' = \(claim.photoID.rawValue.uuidString)
                """)
            #expect(rows == 1)
        }
    }

    @Test("without push nothing is written")
    func none() async throws {
        try await withWorld { world in
            var uploads = world.uploads
            uploads.notifications = NotificationOutbox(platforms: [])
            let attempt = world.attempt()
            _ = try await uploads.accept(try await world.claim(attempt), of: attempt)
            #expect(try await world.count("SELECT count(*) AS count FROM outbox") == 0)
        }
    }
}
