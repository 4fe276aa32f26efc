import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEndDamage {
    /// kill -9 at every step of an upload, and SIGTERM in the middle of one.
    @Suite("Crashes")
    struct CrashTests {
        /// Where the process is killed, as the S3 server sees it.
        enum Moment: String, CaseIterable, Sendable {
            /// The row is written and no object is.
            case beforeObjects
            /// The objects are written and nobody has been told.
            case beforeAcceptance
        }

        @Test(
            "killed between the two transactions: the same key answers with one photo")
        func betweenTransactions() async {
            // Both at once: most of the time is spent waiting for leases to end.
            await forEach(Moment.allCases) { try await crash(at: $0) }
        }

        private func crash(at moment: Moment) async throws {
            try await Service.run(on: .rclone, ["photos.sweep_interval": "1s"]) { service, proxy in
                let proxy = try #require(proxy)
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let retried = try await ada.createGroup("Same key", inviting: ["+14155550102"]).group.id
                let renewed = try await ada.createGroup("Other key", inviting: ["+14155550102"]).group.id
                let picture = Pictures.jpeg(width: 640, height: 480)

                proxy.hold(moment == .beforeObjects ? .requests("PUT") : .replies("PUT"))
                async let lost = try? ada.send(picture, to: retried, key: "first")
                async let lostToo = try? ada.send(picture, to: renewed, key: "first")
                try await proxy.waitUntilHeld(2)
                try await service.kill9()
                _ = await (lost, lostToo)
                proxy.hold(.nothing)
                try await service.start()
                #expect(try await ada.feed(retried).isEmpty, "an unfinished upload is seen")

                async let again = ada.sendUntilAnswered(picture, to: retried, key: "first")
                async let other = ada.sendUntilAnswered(
                    Pictures.jpeg(width: 320, height: 240), to: renewed, key: "second")
                let replies = try await [again, other]
                #expect(replies.map(\.status) == [201, 201], "the day is not used up: \(replies)")
                let repeated = try await ada.send(picture, to: retried, key: "first")
                #expect(repeated.status == 200)
                #expect(try repeated.decode(Photo.self).id == replies[0].decode(Photo.self).id)

                for group in [retried, renewed] {
                    let feed = try await ada.feed(group)
                    #expect(feed.count == 1)
                    #expect(try await Web.get(try #require(feed.first).url).status == 200)
                }
                let audit = try await service.run("audit")
                #expect(audit.status == 0, "\(audit)")
                try await eventually("the objects of two photos, and no others", within: .seconds(30)) {
                    try await service.bucket.keys().count == 4
                }
            }
        }

        @Test(
            "killed before the reply: the same key answers with the photo that was taken")
        func beforeTheReply() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Reply", inviting: ["+14155550102"]).group.id
                let picture = Pictures.jpeg(width: 640, height: 480)
                let port = try #require(URL(string: service.url)?.port)
                let proxy = try TCPProxy(to: port)
                proxy.hold(.replies("POST"))
                async let lost = try? Web.send(
                    "POST", "http://127.0.0.1:\(proxy.port)/v1/groups/\(group)/photos",
                    headers: [
                        "Authorization": "Bearer \(ada.tokens.accessToken)", "Content-Type": "image/jpeg",
                        "Idempotency-Key": "\"first\"",
                    ],
                    body: picture)
                try await proxy.waitUntilHeld()
                try await service.kill9()
                proxy.hold(.nothing)
                _ = await lost
                try await service.start()
                let taken = try await ada.feed(group)
                #expect(taken.count == 1)
                let reply = try await ada.send(picture, to: group, key: "first")
                #expect(reply.status == 200, "\(reply)")
                #expect(try reply.decode(Photo.self).id == taken.first?.id)
                let other = try await ada.send(picture, to: group, key: "second")
                #expect(other.code == "already_sent_today", "\(other)")
            }
        }

        @Test(
            "killed at any moment of an upload: one photo per key, and nothing left over")
        func anyMoment() async throws {
            let settings = ["photos.sweep_interval": "1s"]
            try await Service.run(on: .filesystem, settings) { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                var groups: [ResourceID] = []
                for index in 0..<5 {
                    groups.append(try await ada.createGroup("G\(index)", inviting: ["+14155550102"]).group.id)
                }
                let picture = Pictures.jpeg(width: 1600, height: 1200)
                var accepted: [ResourceID: ResourceID] = [:]
                for (index, group) in groups.enumerated() {
                    async let reply = try? ada.send(picture, to: group, key: "key")
                    try await Task.sleep(for: .milliseconds(15 + index * 45))
                    try await service.restart()
                    if let reply = await reply, reply.status == 201 {
                        accepted[group] = try reply.decode(Photo.self).id
                    }
                }
                for group in groups {
                    let reply = try await ada.sendUntilAnswered(picture, to: group, key: "key")
                    #expect([200, 201].contains(reply.status), "\(reply)")
                    let photo = try reply.decode(Photo.self)
                    #expect(
                        accepted[group] == nil || accepted[group] == photo.id, "an accepted photo is lost")
                    #expect(try await ada.feed(group).map(\.id) == [photo.id])
                    #expect(try await Web.get(photo.url).status == 200)
                }
                let audit = try await service.run("audit")
                #expect(audit.status == 0, "\(audit)")
                try await eventually("the objects of five photos, and no others", within: .seconds(30)) {
                    try await service.bucket.keys().count == 10
                }
            }
        }

        @Test("SIGTERM waits for the upload under way")
        func drain() async throws {
            try await Service.run(on: .rclone, [:]) { service, proxy in
                let proxy = try #require(proxy)
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Drain", inviting: ["+14155550102"]).group.id
                proxy.hold(.requests("PUT"))
                async let reply = ada.send(Pictures.jpeg(width: 640, height: 480), to: group, key: "first")
                try await proxy.waitUntilHeld()
                service.terminate()
                try await Task.sleep(for: .milliseconds(500))
                #expect(service.isRunning, "it ended with an upload under way")
                proxy.hold(.nothing)
                let answered = try await reply
                #expect(answered.status == 201, "\(answered)")
                #expect(try await service.waitForExit(within: .seconds(20)) == 0)
                try await service.start()
                #expect(try await ada.feed(group).count == 1)
            }
        }

        @Test(
            "a store that hangs makes uploads 503 within 12 s and touches nothing else")
        func hangingStore() async throws {
            try await Service.run(on: .rclone, ["photos.sweep_interval": "1s"]) { service, proxy in
                let proxy = try #require(proxy)
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Hang", inviting: ["+14155550102"]).group.id
                let picture = Pictures.jpeg(width: 640, height: 480)
                proxy.hold(.requests("PUT"))
                let began = ContinuousClock.now
                async let reply = ada.send(picture, to: group, key: "first")
                try await proxy.waitUntilHeld()
                #expect(try await ada.feed(group).isEmpty)
                let answered = try await reply
                #expect(answered.status == 503 && answered.code == "storage_unavailable", "\(answered)")
                #expect(answered.headers[.retryAfter] != nil)
                #expect(ContinuousClock.now - began < .seconds(12))
                proxy.hold(.nothing)
                let again = try await ada.sendUntilAnswered(picture, to: group, key: "first")
                #expect(again.status == 201, "\(again)")
                #expect(try await ada.feed(group).count == 1)
            }
        }
    }
}
