import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import NIOCore
import Postgres
import Testing

@testable import DaylyServer

@Suite("Products that a deployment leaves out")
struct LeftOutProductTests {
    @Test(
        "without Focus a day of photos needs none of its tables, and the service has no call and no job of it"
    )
    func focus() async throws {
        try await withTestDatabase { database in
            let tables = try await database.client.tables().filter { $0.hasPrefix("focus_") }
            #expect(tables.count > 10)
            for table in tables {
                try await database.client.execute("DROP TABLE \(identifier: table) CASCADE")
            }
            try await WholeService.serve(["DAYLY_FEATURES": "photos"], on: database) { service in
                #expect(!service.composition.jobs.contains { $0.name.hasPrefix("focus") })
                let (ada, bob) = (try await service.person(), try await service.person(name: "Bob"))
                #expect(try await service.call("GET", "/v1/focus/now", token: ada.token).status == 404)
                try await Self.photoDay(service, ada, bob)
            }
        }
    }

    /// Two people send and see a photo, and go. Every statement that named a table of Focus would fail.
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
            ("POST", "/v1/users/me/blocks", bob, 204), ("DELETE", "/v1/groups/\(group.resourceID)", bob, 204),
            ("DELETE", "/v1/users/me", ada, 204),
        ] {
            let body = method == "POST" ? #"{"user_id": "\#(ada.name)"}"# : nil
            let answer = try await service.call(method, path, token: person.token, body: body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
        }
        try await service.runJobs()
    }
}
