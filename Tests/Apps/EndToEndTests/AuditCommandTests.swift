import DaylyTesting
import Foundation
import Testing

extension EndToEnd {
    @Suite("The service's own audit")
    struct AuditTests {
        /// Guard: `serve` audits by itself (`Features.audit`)
        @Test("an object that no row knows goes, without anybody asking for it")
        func orphan() async throws {
            let settings = ["audit.interval": "1s", "photos.sweep_interval": "1s"]
            try await Service.run(on: .filesystem, settings) { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Kept", inviting: ["+14155550102"]).group.id
                let sent = try await ada.send(Pictures.jpeg(width: 64, height: 48), to: group, key: "first")
                #expect(sent.status == 201)
                let kept = try await service.bucket.keys()
                let known = try #require(kept.first)
                let folder = service.folder.appendingPathComponent("objects/\(known)")
                    .deletingLastPathComponent()
                let orphan = folder.appendingPathComponent("00000000-0000-4000-8000-000000000000.jpg")
                try Data("x".utf8).write(to: orphan)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: orphan.path)
                try await eventually("the orphan to be gone", within: .seconds(30)) {
                    !FileManager.default.fileExists(atPath: orphan.path)
                }
                #expect(try await Set(service.bucket.keys()) == Set(kept))
                #expect(service.log.contains("bucket and database did not agree"))
            }
        }
    }
}
