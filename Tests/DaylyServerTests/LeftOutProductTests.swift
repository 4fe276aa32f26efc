import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import NIOCore
import Postgres
import Testing

@testable import DaylyServer
@testable import Restoration

@Suite("Products that a deployment leaves out")
struct LeftOutProductTests {
    @Test(
        "without Focus and Companion a day of photos needs none of their tables, and the service has no call and no job of them"
    )
    func photosAlone() async throws {
        try await withTestDatabase { database in
            let tables = try await database.client.tables().filter {
                $0.hasPrefix("focus_") || $0.hasPrefix("companion_")
            }
            #expect(tables.count > 20)
            for table in tables {
                try await database.client.execute("DROP TABLE \(identifier: table) CASCADE")
            }
            try await WholeService.serve(["DAYLY_FEATURES": "photos"], on: database) { service in
                #expect(
                    !service.composition.jobs.contains {
                        $0.name.hasPrefix("focus") || $0.name.hasPrefix("companion")
                    })
                let (ada, bob) = (try await service.person(), try await service.person(name: "Bob"))
                for path in ["/v1/focus/now", "/v1/companion/day", "/v1/companion/settings"] {
                    #expect(try await service.call("GET", path, token: ada.token).status == 404)
                }
                try await Self.photoDay(service, ada, bob)
            }
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

    /// Two people send and see a photo, and go. Every statement that named a table of a product left out would fail.
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
