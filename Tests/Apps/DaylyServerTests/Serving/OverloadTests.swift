import AsyncHTTPClient
import DaylyTesting
import Events
import Foundation
import HTTPKit
import NIOCore
import NIOPosix
import Settings
import Testing

@testable import DaylyServer

@Suite("Too much to do")
struct OverloadTests {
    private func configuration(_ more: [String: String] = [:]) async throws -> ServerConfiguration {
        try ServerConfiguration.load(
            environment: Fixture.development(in: try TemporaryFolder(), more), file: nil)
    }

    @Test("every bound has a default, and follows the configuration")
    func settings() async throws {
        let http = try await configuration().http
        #expect(http.maxConnections == 10_000 && http.maxRequests == 128 && http.maxUploads == 256)
        #expect(try await configuration(["DAYLY_DATABASE_MAX_CONNECTIONS": "2"]).http.maxRequests == 32)
        let given = try await configuration([
            "DAYLY_HTTP_MAX_CONNECTIONS": "7", "DAYLY_HTTP_MAX_REQUESTS": "5", "DAYLY_HTTP_MAX_UPLOADS": "3",
            "DAYLY_LIMITS_UPLOAD_BYTES": "1MiB",
        ])
        #expect(given.http.maxConnections == 7)
        #expect(Bounds.connections(given.http, logger: .silent).maxConnections == 7)
        #expect(Bounds.serverOptions(given).maxDrainBytes == 1 << 20 + 64 << 10)
        let error = await #expect(throws: ConfigurationProblems.self) {
            _ = try await configuration(["DAYLY_HTTP_MAX_REQUESTS": "0"])
        }
        #expect(error?.problems.map(\.key) == ["http.max_requests"])
        let callers = CallerLimits.Settings(given)
        #expect(callers.maxRunning == 4 && callers.maxWaiting == 4 && callers.countsWrites)
        let usual = CallerLimits.Settings(try await configuration())
        #expect(usual.maxWaiting == 28 && usual.maxWaitingUploads == 60)
    }

    /// Guard: streams leave a fifth of all connections (`ServerConfiguration.limits`, `EventSettings`)
    @Test("streams leave a fifth of all connections to others")
    func streams() async throws {
        #expect(try await configuration().events.maxStreams == 8_000)
        let few = try await configuration(["DAYLY_HTTP_MAX_CONNECTIONS": "100"])
        #expect(few.events.maxStreams == 80)
        #expect(EventSettings(few, maxConnections: 50).maxStreams == 40)
        let most = ["DAYLY_HTTP_MAX_CONNECTIONS": "100", "DAYLY_EVENTS_STREAMS": "80"]
        #expect(try await configuration(most).events.maxStreams == 80)
        let error = await #expect(throws: ConfigurationProblems.self) {
            _ = try await configuration(["DAYLY_HTTP_MAX_CONNECTIONS": "100", "DAYLY_EVENTS_STREAMS": "81"])
        }
        #expect(error?.problems.map(\.key) == ["events.streams"])
    }

    /// Guard: requests beyond a lane's places are refused; health never is (Resilience `Gate.enter`,
    /// `Bounds.routes`)
    @Test("uploads have a lane of their own, and health is never refused")
    func lanes() async throws {
        try await WholeService.run { service in
            let routes = Bounds.routes(service.composition.calls)
            func traits(_ method: String, _ target: String) -> Set<Route.Trait> {
                routes.traits(method: method, target: target)
            }
            let id = "01981c3e-0000-7000-8000-000000000000"
            #expect(traits("POST", "/v1/groups/\(id)/photos").contains(.bulk))
            #expect(traits("POST", "/v1/groups/\(id)/photos?x=/photos").contains(.bulk))
            #expect(traits("GET", "/v1/groups/\(id)/photos").isEmpty)
            #expect(traits("POST", "/v1/groups?x=/v1/groups/1/photos").isEmpty)
            #expect(traits("GET", "/healthz") == [.exempt])
            #expect(traits("GET", "/readyz?full") == [.exempt])
            #expect(traits("POST", "/healthz").isEmpty)
            #expect(traits("GET", "/v1/events").isEmpty)
        }
    }

    @Test("too few file descriptors are told, with what mends it")
    func descriptors() async throws {
        let configuration = try await configuration(["DAYLY_HTTP_MAX_CONNECTIONS": "4000"])
        let poor = CapacityChecks(configuration: configuration, hardLimit: 4_096).findings()
        #expect(poor.map(\.verdict) == [.problem])
        #expect(poor.first?.remedy?.contains("4512") == true)
        let rich = CapacityChecks(configuration: configuration, hardLimit: 4_512).findings()
        #expect(rich.map(\.verdict) == [.ok])
        #expect(FileDescriptors.room(within: 64) == 32)
    }

    /// Guard: an upload without memory is refused before its session is looked up (`PhotoRoutes.hasRoom` in
    /// `Bounds.admission`)
    @Test("an upload that finds no memory left is refused before its sender is identified")
    func memory() async throws {
        let settings = [
            "DAYLY_LIMITS_UPLOAD_MEMORY": "1MiB", "DAYLY_LIMITS_UPLOAD_BYTES": "1MiB",
            "DAYLY_HTTP_MAX_REQUESTS": "5", "DAYLY_HTTP_MAX_UPLOADS": "3",
        ]
        try await WholeService.run(settings) { service in
            let limits = service.composition.admission.limits
            #expect(limits.short == 5 && limits.bulk == 3)
            let scene = try await service.scene()
            let slow = try await Connection.open(port: try #require(service.client.port))
            try await slow.send(
                "POST /v1/groups/\(scene.group)/photos HTTP/1.1\r\nHost: t\r\nContent-Type: image/png\r\n"
                    + "Authorization: Bearer \(scene.owner.token)\r\nContent-Length: 1000000\r\n\r\nx")
            func stranger(_ bytes: Int) async throws -> HTTPAnswer {
                try await service.call(
                    "POST", "/v1/groups/\(scene.group)/photos", token: nil,
                    bytes: ByteBuffer(repeating: 0, count: bytes), type: "image/png")
            }
            // So short that the connection goes on behind its refusal.
            try await eventually { try await stranger(60_000).status != 401 }
            let refused = try await stranger(60_000)
            #expect(refused.status == 503)
            #expect(refused.members["code"] as? String == "overloaded")
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try await stranger(1_000).status == 401)
            try await slow.channel.channel.close()
            try await eventually { try await stranger(60_000).status != 503 }
        }
    }

    /// Guard: an upload that no decoder could take is refused before its body (`WorkerSlots.isFull`,
    /// `PhotoRoutes.hasRoom`)
    /// Guard: a received picture waits for a decoder and is not refused (`WorkerSlots.enqueue`, `maxQueued`
    /// in `ServerConfiguration.init`)
    @Test(
        "an upload that would wait behind too many others is refused by its header; who has sent all is not")
    func decoders() async throws {
        let folder = try TemporaryFolder()
        let worker = try folder.write("worker", "#!/bin/sh\nsleep 2\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        let settings = [
            "DAYLY_PHOTOS_WORKER_PATH": worker, "DAYLY_PHOTOS_WORKERS": "1", "DAYLY_PHOTOS_QUEUE_SIZE": "0",
        ]
        try await WholeService.run(settings) { service in
            let scene = try await service.scene()
            // Both headers come while the decoder is free, both bodies when it is not.
            var waiting: [Connection] = []
            for sender in [scene.owner, scene.member] {
                let connection = try await Connection.open(port: try #require(service.client.port))
                try await connection.send(
                    "POST /v1/groups/\(scene.group)/photos HTTP/1.1\r\nHost: t\r\nContent-Type: image/png\r\n"
                        + "Authorization: Bearer \(sender.token)\r\nConnection: close\r\n"
                        + "Content-Length: 2\r\n\r\n1")
                waiting.append(connection)
            }
            try await eventually { service.composition.admission.inFlight(.bulk) == 2 }
            for connection in waiting { try await connection.send("2") }
            func stranger() async throws -> Int {
                try await service.call(
                    "POST", "/v1/groups/\(scene.group)/photos", token: nil,
                    bytes: ByteBuffer(string: "x"), type: "image/png"
                ).status
            }
            try await eventually { try await stranger() != 401 }
            #expect(try await stranger() == 503)
            // The decoder ends without a picture, one after the other.
            for connection in waiting {
                let answer = try await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 422 "), "\(answer)")
            }
        }
    }

    /// Guard: uploads that a hung store holds up do not hold places of other calls (`Bounds.routes`)
    @Test(
        "a store that hangs makes uploads 503 within 12 s, and nobody else notices")
    func hangingStore() async throws {
        try await SilentServer.run { port in
            let settings = [
                "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://127.0.0.1:\(port)",
                "DAYLY_STORAGE_S3_BUCKET": "bucket", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id",
                "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret", "DAYLY_HTTP_MAX_UPLOADS": "2",
                "DAYLY_HTTP_MAX_REQUESTS": "2",
            ]
            try await WholeService.run(settings) { service in
                let scene = try await service.scene()
                let start = ContinuousClock.now
                async let first = upload(by: scene.owner, to: scene.group, service)
                async let second = upload(by: scene.member, to: scene.group, service)
                try await eventually { service.composition.admission.inFlight(.bulk) == 2 }
                // As many as there are places, and the next one is told at once.
                let third = try await upload(by: scene.owner, to: scene.group, service)
                #expect(third.status == 503)
                #expect(third.code == "overloaded")
                for _ in 0..<20 {
                    let feed = try await service.call(
                        "GET", "/v1/groups/\(scene.group)/photos", token: scene.member.token)
                    #expect(feed.status == 200)
                }
                #expect(service.composition.admission.inFlight(.bulk) == 2)
                for answer in [try await first, try await second] {
                    #expect(answer.status == 503)
                    #expect(answer.code == "storage_unavailable")
                    #expect(answer.retryAfter != nil)
                }
                #expect(start.duration(to: .now) < .seconds(12))
                #expect(service.composition.admission.inFlight(.bulk) == 0)
            }
        }
    }

    /// On a connection of its own.
    private func upload(
        by person: Person, to group: UUID, _ service: WholeService
    ) async throws -> (status: Int, code: String, retryAfter: String?) {
        let port = try #require(service.client.port)
        var request = HTTPClientRequest(url: "http://localhost:\(port)/v1/groups/\(group)/photos")
        request.method = .POST
        request.headers = ["Authorization": "Bearer \(person.token)", "Content-Type": "image/png"]
        request.body = .bytes(Pictures.png())
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        let problem = try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
        return (
            Int(response.status.code), problem?["code"] as? String ?? "",
            response.headers.first(name: "Retry-After")
        )
    }
}

/// Takes connections and never says a word.
private enum SilentServer {
    static func run(_ body: (Int) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        do {
            try await body(port)
            try await channel.close()
        } catch {
            try await channel.close()
            throw error
        }
    }
}
