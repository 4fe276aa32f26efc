import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

@Suite("Companion: joining and leaving beside changes of the account")
struct CompanionLockOrderTests {
    /// Guard: whoever joins holds the account, so that its zone stays the same
    /// (`CompanionSettingsStore.joiner`)
    @Test("whoever joins while the zone changes begins with a day of the new zone")
    func joining() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            let move: SQL = "UPDATE users SET time_zone = 'Asia/Tokyo' WHERE id = \(ada.id)"
            let joining = try await world.postgres.holding(move) {
                let joining = Task {
                    try await world.call(
                        .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 120}"#)
                }
                try await world.postgres.untilWaiting()
                return joining
            }
            let joined = try await joining.value
            #expect(joined.status == 200, "\(joined)")
            let day = try await world.call(.get, "day", as: ada)
            #expect(day.text("ends_at") == "2026-03-02T15:00:00Z", "\(day)")
        }
    }

    /// Guard: an account's deletion locks the settings before it deletes the user
    /// (`CompanionFeature.onErase`)
    @Test("an account's deletion waits for the account's settings before it locks out a call's key")
    func deletion() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let settings: SQL = "SELECT FROM companion_settings WHERE user_id = \(ada.id) FOR NO KEY UPDATE"
            let deletion = try await world.postgres.holding(settings) {
                let deletion = Task { try await world.callAny(.delete, "users/me", as: ada).status }
                try await world.postgres.untilWaiting()
                // A call that makes something writes its key under the lock of the settings, and so locks the user.
                try await world.postgres.execute(
                    "SELECT FROM users WHERE id = \(ada.id) FOR KEY SHARE NOWAIT")
                return deletion
            }
            #expect(try await deletion.value == 204)
        }
    }

    /// Guard: an account has one pet (`CompanionPetService.adopt`)
    @Test("of adoptions at once one makes a pet, and the others find it")
    func adoptions() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let answers = try await world.together(8) { number in
                try await world.act("pet", ada, #"{"species": "dog", "name": "Rex \#(number)"}"#)
            }
            #expect(answers.count { $0.status == 201 } == 1, "\(answers)")
            #expect(answers.count { $0.code == "pet_exists" } == 7)
        }
    }
}
