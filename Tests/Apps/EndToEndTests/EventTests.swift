import AsyncHTTPClient
import DaylyAPI
import DaylyTesting
import Foundation
import Glibc
import NIOCore
import Postgres
import Synchronization
import Testing

extension EndToEnd {
    @Suite("Streams of events over the real program")
    struct Events {
        @Test(
            "two instances: what happens on one is heard on the other, and a stream that dies with its instance goes on"
        )
        func twoInstances() async throws {
            try await Service.run(on: .filesystem, ["photos.sweep_interval": "1s", "photos.lifetime": "10s"])
            {
                service in
                let (ada, bob, group) = try await friends(at: service)
                let (twin, address) = try await twin(of: service)
                let heard = EventReader(address, bob)
                try await heard.begin()

                let sent = try await ada.send(Pictures.jpeg(width: 64, height: 48), to: group, key: "one")
                try #require(sent.status == 201)
                let photo = try sent.decode(Photo.self).id
                try await heard.wait(for: 1)
                let created = try #require(heard.events.first)
                #expect(created.name == "photo.created")
                let shown = try created.decode(PhotoCreatedEvent.self)
                #expect(shown.groupID == group && shown.photo.id == photo)
                #expect(try await Web.get(shown.photo.url).status == 200)

                // The one dies; the other tells what was missed, and goes on.
                try await twin.kill9()
                try await rename(group, "While away", by: ada)
                let again = EventReader(service.url, bob, after: heard.cursor)
                try await again.begin()
                try await again.wait(for: 1)
                // No notification comes through: the log is the truth.
                try await loseListeners(of: service.database)
                try await rename(group, "Unheard of", by: ada)
                try await again.wait(for: 2)
                // The photo's time comes.
                try await again.wait(for: 3, within: .seconds(40))
                let names = again.events.map(\.name)
                #expect(names.sorted() == ["group.updated", "group.updated", "photo.deleted"])
                let deleted = try #require(again.events.first { $0.name == "photo.deleted" })
                #expect(try deleted.decode(PhotoDeletedEvent.self).photoID == photo)
                #expect(again.headers["content-type"] == "text/event-stream; charset=utf-8")
                #expect(again.headers["x-accel-buffering"] == "no")
                #expect(again.headers["cache-control"] == "no-store, no-transform")
                again.cancel()
            }
        }

        /// Guard: streams end at SIGTERM, and so does the server (`PublicServer`)
        @Test(
            "a removal ends what an open stream tells, signing out ends the stream, SIGTERM ends all politely"
        )
        func ends() async throws {
            try await Service.run(on: .filesystem) { service in
                let (ada, bob, group) = try await friends(at: service)
                let (adas, bobs) = (EventReader(service.url, ada), EventReader(service.url, bob))
                try await adas.begin()
                try await bobs.begin()
                let removed = try await ada.delete("/v1/groups/\(group)/members/\(bob.id)")
                #expect(removed.status == 204)
                try await rename(group, "Without Bob", by: ada)
                try await adas.wait(for: 2)
                try await bobs.wait(for: 1)
                #expect(adas.events.map(\.name) == ["member.left", "group.updated"])
                #expect(bobs.events.map(\.name) == ["member.left"])
                #expect(try bobs.events[0].decode(MemberEvent.self).userID == bob.id)
                try await eventually("a heartbeat") { bobs.text.contains("\n\n:\n\n") }

                let out = try await Person.post(
                    service, "/v1/auth/logout", RefreshRequest(refreshToken: bob.tokens.refreshToken),
                    token: nil)
                #expect(out.status == 204)
                try await eventually("the end of a signed-out stream") { bobs.isOver }
                #expect(!adas.isOver)
                let stale = try await Web.send(
                    "GET", service.url + "/v1/events",
                    headers: [
                        "Authorization": "Bearer \(ada.tokens.accessToken)", "Last-Event-ID": "long-ago",
                    ])
                #expect(stale.status == 410 && stale.code == "cursor_expired")

                let began = ContinuousClock.now
                service.terminate()
                #expect(try await service.waitForExit(within: .seconds(20)) == 0)
                #expect(ContinuousClock.now - began < .seconds(15), "streams held the service up")
                try await eventually("the end of the stream") { adas.isOver }
                #expect(adas.text.contains("\n\nretry: ") && adas.isWhole, "not a polite end")
                try await service.start()
            }
        }

        private func friends(at service: Service) async throws -> (Person, Person, ResourceID) {
            let ada = try await Person.signIn("Ada", "+14155550101", to: service)
            let bob = try await Person.signIn("Bob", "+14155550102", to: service)
            let made = try await ada.createGroup("Friends", inviting: [bob.number])
            let code = try #require(made.invitations.first?.code)
            try #require(try await bob.redeem(code).status == 200)
            return (ada, bob, made.group.id)
        }

        /// Another process over the same database and files.
        private func twin(of service: Service) async throws -> (ChildProcess, String) {
            let address = "http://127.0.0.1:\(try freePort())"
            let port = try #require(URL(string: address)?.port)
            // Tokens and files' URLs are the same for both.
            let child = try service.launch(
                ["serve"], ["http.port": String(port), "http.public_url": service.url], output: "twin.log")
            try await eventually("the other instance", within: .seconds(30)) {
                let reply = try? await Web.send("GET", address + "/readyz", timeout: .seconds(3))
                return reply?.status == 200
            }
            return (child, address)
        }

        private func rename(_ group: ResourceID, _ name: String, by person: Person) async throws {
            let reply = try await Web.send(
                "PUT", person.service.url + "/v1/groups/\(group)",
                headers: [
                    "Authorization": "Bearer \(person.tokens.accessToken)",
                    "Content-Type": "application/json",
                ],
                body: Array(#"{"name": "\#(name)"}"#.utf8))
            #expect(reply.status == 200)
        }

        private func loseListeners(of database: TestDatabase) async throws {
            _ = try await database.client.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN%'
                """)
        }
    }
}

/// A client of `GET /v1/events`.
private final class EventReader: Sendable {
    private struct State {
        var text = ""
        var headers: [String: String] = [:]
        var isOver = false
        var isWhole = false
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ address: String, _ person: Person, after cursor: String? = nil) {
        var request = HTTPClientRequest(url: address + "/v1/events")
        request.headers.add(name: "Authorization", value: "Bearer \(person.tokens.accessToken)")
        if let cursor { request.headers.add(name: "Last-Event-ID", value: cursor) }
        task.withLock { [self, request] in
            $0 = Task { await self.read(request) }
        }
    }

    private func read(_ request: HTTPClientRequest) async {
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: .minutes(2))
            state.withLock { state in
                for header in response.headers { state.headers[header.name.lowercased()] = header.value }
            }
            for try await bytes in response.body {
                state.withLock { $0.text += String(buffer: bytes) }
            }
            state.withLock { $0.isWhole = true }
        } catch {
            // Killed, or cancelled.
        }
        state.withLock { $0.isOver = true }
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    var text: String { state.withLock { $0.text } }
    var headers: [String: String] { state.withLock { $0.headers } }
    var isOver: Bool { state.withLock { $0.isOver } }
    /// Whether the answer ended as an answer ends.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Until it has its first cursor.
    func begin() async throws {
        try await eventually("the beginning of a stream") { cursor != nil }
    }

    func wait(for count: Int, within limit: Duration = .seconds(15)) async throws {
        try await eventually("\(count) events", within: limit) { events.count >= count }
    }

    var events: [EventText.Event] { EventText(text).events }
    var cursor: String? { EventText(text).cursor }
}
