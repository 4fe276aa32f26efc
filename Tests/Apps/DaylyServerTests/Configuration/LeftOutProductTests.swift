import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import NIOCore
import Postgres
import StoreTesting
import Testing

@testable import DaylyServer
@testable import Restoration

@Suite("Products that a deployment leaves out")
struct LeftOutProductTests {
    /// Guard: a product that is left out ends ties by blocks and departures, is exported, purged and left
    /// (`Features` (hooks, features of `auth`, `purges`, `departures`))
    @Test("a product that is left out has no call but that by which people leave, and no job but its purge")
    func photosAlone() async throws {
        try await WholeService.run(["DAYLY_FEATURES": "photos"]) { service in
            let jobs: Set<String> = Set(service.composition.jobs.map(\.name))
            let others: Set<String> = jobs.filter { $0.hasPrefix("focus") || $0.hasPrefix("companion") }
            #expect(others == ["focus_purge", "companion_purge"])
            let (ada, bob) = (try await service.person(), try await service.person(name: "Bob"))
            for path in ["focus/now", "focus/profile", "companion/day", "companion/settings"] {
                #expect(try await service.call("GET", "/v1/\(path)", token: ada.token).status == 404)
                #expect(try await service.call("GET", "/v1/\(path)", token: nil).status == 404)
            }
            try await Self.photoDay(service, ada, bob)
        }
    }

    /// Guard: a product that is left out ends ties by blocks and departures, is exported, purged and left
    /// (`Features` (hooks, features of `auth`, `purges`, `departures`))
    @Test(
        "while a product is left out, blocks and departures end its ties, and its data is exported and goes")
    func promises() async throws {
        try await WholeService.run(["DAYLY_FEATURES": "photos"]) { service in
            let ada = try await service.person()
            let others = [try await service.person(name: "Bob"), try await service.person(name: "Cleo")]
            for one in [ada] + others {
                try await service.postgres.execute(
                    "INSERT INTO focus_profiles (user_id, consent, joined_on) VALUES (\(one.id), '1', CURRENT_DATE)"
                )
            }
            try await service.postgres.execute(
                """
                INSERT INTO companion_settings (user_id, consent, joined_at, limit_minutes, limit_minutes_today,
                    cooldown_minutes, nightly, day, begins_at, ends_at)
                VALUES (\(ada.id), '1', now(), 120, 120, 10, false, CURRENT_DATE, now(), now() + interval '12 hours')
                """)
            func ties() async throws -> [Int64] {
                let row = try await service.postgres.first(
                    """
                    SELECT (SELECT count(*) FROM focus_follows) AS follows,
                        (SELECT count(*) FROM focus_partners) AS partners
                    """)
                return [try row?.get("follows") ?? -1, try row?.get("partners") ?? -1]
            }
            var groups: [GroupID] = []
            for other in others {
                groups.append(
                    try await service.group("Breakfast", id: GroupID(.version7()), of: [ada.id, other.id]))
                try await service.postgres.execute(
                    "INSERT INTO focus_follows (follower_id, followed_id) VALUES (\(other.id), \(ada.id))")
                try await service.postgres.execute(
                    "INSERT INTO focus_partners (user_id, partner_id) VALUES (\(ada.id), \(other.id))")
            }
            #expect(try await ties() == [2, 2])
            let blocking = "/v1/users/\(others[0].name)/block"
            #expect(try await service.call("POST", blocking, token: ada.token).status == 204)
            #expect(try await ties() == [1, 1])
            let leaving = "/v1/groups/\(groups[1].resourceID)"
            #expect(try await service.call("DELETE", leaving, token: others[1].token).status == 204)
            #expect(try await ties() == [1, 0])
            let export = try await service.call("GET", "/v1/users/me/export", token: ada.token).text
            for product in ["focus", "companion"] { #expect(export.contains("\"\(product)\":{")) }
            for path in ["focus/profile", "companion/settings"] {
                #expect(try await service.call("DELETE", "/v1/\(path)", token: ada.token).status == 204)
            }
            let left = try await service.postgres.first(
                """
                SELECT (SELECT count(*) FROM focus_profiles) AS profiles,
                    (SELECT count(*) FROM companion_settings) AS settings
                """)
            #expect(try left?.get("profiles") == 2 && left?.get("settings") == 0)
        }
    }

    /// Guard: a notification of the store reaches all products, offered or not
    /// (`CompanionPurchaseService.take` (`listeners`), `CompanionFeature.departures`)
    @Test("while a product is left out, refunds end what it sold: one address takes them for all products")
    func refunds() async throws {
        let store = try TestAppStore()
        let roots = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        try store.rootPEM.write(to: roots, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: roots) }
        try await WholeService.run([
            "DAYLY_FEATURES": "photos", "DAYLY_APP_STORE_BUNDLE_ID": TestAppStore.bundleID,
            "DAYLY_APP_STORE_ROOT_CERTIFICATES": roots.path,
        ]) { service in
            let ada = try await service.person()
            try await service.postgres.execute(
                """
                INSERT INTO focus_profiles (user_id, consent, joined_on, pro_until)
                VALUES (\(ada.id), '1', CURRENT_DATE, '2090-01-01T00:00:00Z')
                """)
            try await service.postgres.execute(
                """
                INSERT INTO focus_transactions (id, user_id, product_id, expires_at)
                VALUES ('7', \(ada.id), 'app.dayly.pro.year', '2090-01-01T00:00:00Z')
                """)
            let back = try store.transaction([
                "transactionId": "7", "expiresDate": 3_786_912_000_000, "revocationDate": 1_772_445_600_000,
            ])
            let refund = try store.notification("REFUND", about: back)
            let told = try await service.call(
                "POST", "/v1/companion/store-notifications", token: nil,
                body: #"{"signedPayload": "\#(refund)"}"#)
            #expect(told.status == 204, "\(told.text)")
            let pro = try await service.postgres.first(
                "SELECT pro_until FROM focus_profiles WHERE user_id = \(ada.id)")
            #expect(try pro?.get("pro_until", as: Date?.self) == nil)
        }
    }

    @Test("a restore repeats departures from products that are left out, because they may be offered again")
    func restorations() async throws {
        try await withTestDatabase { database in
            try await WholeService.serve(["DAYLY_FEATURES": "photos"], on: database) { service in
                let names = service.composition.restoring.restorations.map(\.name)
                #expect(names.contains("focus") && names.contains("companion"))
            }
        }
    }

    /// Two people send and see a photo, and go.
    private static func photoDay(_ service: WholeService, _ ada: Person, _ bob: Person) async throws {
        let group = try await service.group("Breakfast", id: GroupID(.version7()), of: [ada.id, bob.id])
        let photos = "/v1/groups/\(group.resourceID)/photos"
        let sent = try await service.call(
            "POST", photos, token: ada.token, bytes: ByteBuffer(bytes: Pictures.png()), type: "image/png")
        #expect(sent.status == 201, "\(sent.text)")
        #expect(
            try await service.call("GET", photos, token: bob.token).decode(PhotoFeed.self).photos.count == 1)
        try await service.runJobs()
        for (method, path, person, status) in [
            ("GET", "/v1/groups", bob, 200), ("GET", "/v1/users/me/export", ada, 200),
            ("POST", "/v1/users/\(ada.name)/block", bob, 204),
            ("DELETE", "/v1/groups/\(group.resourceID)", bob, 204),
            ("DELETE", "/v1/users/me", ada, 204),
        ] {
            let answer = try await service.call(method, path, token: person.token)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
        }
        try await service.runJobs()
    }
}
