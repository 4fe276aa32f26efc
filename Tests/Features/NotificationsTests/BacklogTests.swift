@testable import DailyPhotos
import DaylyTesting
import Foundation
@testable import Groups
import Jobs
import Logging
import Postgres
import Push
import PushTesting
import Testing

@testable import Notifications

extension NotificationsWorld {
    /// The service with lanes before its gateways, as the composition root builds it.
    fileprivate func lanedService(places: Int) -> NotificationService {
        var limits = PushLane.Limits()
        limits.maxConcurrent = places
        return service(gateways: [
            .ios: PushLane(ios, limits: limits, logger: .silent),
            .android: PushLane(android, limits: limits, logger: .silent),
        ])
    }

    func service(gateways: [PushPlatform: any PushGateway]) -> NotificationService {
        NotificationService(
            outbox: OutboxStore(postgres: postgres), postgres: postgres, gateways: gateways,
            sources: [
                .photo: PhotoStore(postgres: postgres, groups: GroupMembership(postgres: postgres))
                    .notificationSource
            ],
            invites: invites, logger: .silent)
    }

    fileprivate func worker(of service: NotificationService) -> OutboxWorker {
        OutboxWorker(
            outbox: OutboxStore(postgres: postgres), handlers: service.handlers, lanes: service.lanes,
            logger: .silent)
    }

    /// How many transactions the database has seen. A statement outside a transaction is one.
    fileprivate func transactions() async throws -> Int {
        let (postgres, connections) = (postgres, postgres.configuration.maxConnections)
        // Each connection reports what it has counted: the pause keeps all of them busy at once.
        _ = try await atOnce(connections) { _ in
            try await postgres.query("SELECT pg_stat_force_next_flush(), pg_sleep(0.1)::text").count
        }
        return try await count(
            """
            SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()
            """)
    }
}

/// Accepts everything; one of its lanes has no place.
private struct RestingGateway: PushGateway {
    let name = "resting"
    let lane: String
    private let gateway = RecordingPushGateway()

    init(lane: String) { self.lane = lane }

    var sent: [(message: PushMessage, token: DeviceToken)] { gateway.sent }

    func openPlaces(in lane: String) -> Int { lane == self.lane ? 0 : 32 }

    func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        await gateway.send(message, to: token)
    }
}

@Suite("A backlog of notifications")
struct BacklogTests {
    /// Guard: a backlog costs a bounded number of statements (`NotificationService.lanes`)
    @Test(
        "a slow provider costs the database a bounded number of statements for each delivered message")
    func slowProvider() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            for _ in 0..<100 { _ = try await world.person() }
            world.ios.answer { _, _ in
                try? await Task.sleep(for: .milliseconds(100))
                return .accepted
            }
            let worker = world.worker(of: world.lanedService(places: 4))
            try await world.photo(by: ada)
            try await worker.runOnce()
            #expect(try await world.rows("topic = 'notice'") == 100)
            let before = try await world.transactions()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await worker.run() }
                try await eventually(within: .seconds(60)) { world.ios.sent.count == 100 }
                try await Task.sleep(for: .milliseconds(200))
                group.cancelAll()
            }
            let statements = try await world.transactions() - before
            print("statements for 100 delivered messages: \(statements)")
            #expect(world.ios.sent.count == 100)
            // The promise is 20 for a backlog of 5,000; a small one costs less.
            #expect(statements < 10 * 100)
        }
    }

    /// Guard: a worker claims as many rows as its lanes have room for (`OutboxStore.claim`,
    /// `OutboxPlaces.room`)
    @Test(
        "while one provider is paused, its messages wait, and the other provider's are sent")
    func closedLane() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            for _ in 0..<3 { _ = try await world.person() }
            _ = try await world.person(device: .android)
            world.ios.answer { _, _ in .unavailable(after: .seconds(60), reason: "down") }
            let service = world.lanedService(places: 1)
            let worker = world.worker(of: service)
            try await world.photo(by: ada)
            while try await worker.runOnce() > 0 {}
            #expect(world.ios.sent.count == 1 && world.android.sent.count == 1)
            try await world.hurry()
            #expect(try await worker.runOnce() == 0)
            #expect(try await world.rows("topic = 'notice' AND done_at IS NULL AND attempts = 0") == 2)
        }
    }

    /// Guard: each push service of browsers has a lane of its own in the outbox (`DeviceStore.lanesSQL`,
    /// `WebPushGateway.openPlaces`, `NotificationService.lanes`)
    @Test(
        "while one push service of browsers rests, messages for it are not claimed, and the others are sent")
    func closedWebLane() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let endpoints = [
                "https://fcm.googleapis.com/wp/1", "https://fcm.googleapis.com/wp/2",
                "https://updates.push.services.mozilla.com/wpush/v2/3", "https://web.push.apple.com/4",
                "https://db5p.notify.windows.com/w/?token=5",
            ]
            for endpoint in endpoints {
                try await world.register(
                    FakeBrowser(endpoint: endpoint).token(), for: world.person(device: nil))
            }
            let web = RestingGateway(lane: "web:google")
            let service = world.service(gateways: [.web: web])
            let worker = world.worker(of: service)
            try await world.photo(by: ada)
            while try await worker.runOnce() > 0 {}
            #expect(web.sent.count == 3)
            #expect(
                try await world.rows(
                    "topic = 'notice' AND done_at IS NULL AND attempts = 0 AND lanes = '{web:google}'") == 2)
        }
    }

    /// Guard: an unchanged notice is not written again (`NotificationService.deliver`)
    @Test(
        "a notice waits for the remaining platform, and a wait that changes nothing writes nothing")
    func remembered() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person())
            try await world.register(NotificationsWorld.token(.android), for: bob)
            world.ios.answer { _, _ in .postponed(after: .seconds(30)) }
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.android.sent.count == 1)
            #expect(try await world.rows("topic = 'notice' AND lanes = '{ios}'") == 1)
            try await world.postgres.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'written'; END $$;
                """)
            try await world.postgres.execute(
                """
                CREATE TRIGGER refuse BEFORE UPDATE OF payload ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()
                """)
            try await world.hurry()
            try await world.work()
            #expect(world.ios.sent.count == 2)
            #expect(try await world.rows("topic = 'notice' AND attempts = 0 AND due_at > now()") == 1)
        }
    }
}

@Suite("Push credentials of another project")
struct WrongCredentialsTests {
    /// Guard: push credentials of another project delete no device (`PushLaneState.judged`)
    /// Guard: a provider's fault is stored until a message is accepted; doctor reports it (`PushFaultLog`,
    /// `PushFaultChecks`)
    @Test(
        "wrong credentials delete no device, and doctor reports them until a message is accepted",
        arguments: [1, 32])
    func keepsDevices(places: Int) async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            for _ in 0..<16 { _ = try await world.person(device: .android) }
            let service = world.lanedService(places: places)
            let worker = world.worker(of: service)
            world.android.answer { _, _ in .doubtful(reason: "SENDER_ID_MISMATCH") }
            try await world.photo(by: ada)
            while try await worker.runOnce() > 0 {}
            let devices = try await world.postgres.query("SELECT 1 AS one FROM devices").count
            #expect(devices == 16)
            let fault = try #require(try await service.faults.store.all().first)
            #expect(fault.platform == .android && fault.reason == "SENDER_ID_MISMATCH")
            // From the tenth message on, messages wait until an operator corrects the credentials.
            #expect(try await world.rows("topic = 'notice' AND done_at IS NULL") == 7)

            let mended = world.lanedService(places: 32)
            world.android.answer { _, _ in .accepted }
            try await world.hurry()
            let later = world.worker(of: mended)
            while try await later.runOnce() > 0 {}
            #expect(try await service.faults.store.all().isEmpty)
            #expect(try await world.rows("topic = 'notice' AND done_at IS NULL") == 0)
        }
    }

    @Test("an invitation to a doubtful device goes by SMS instead, and the device stays")
    func invitation() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
            world.ios.answer { _, _ in .doubtful(reason: "BadDeviceToken") }
            _ = try await world.invites.send(to: [bob.number], group: world.group, by: ada.id)
            try await world.work()
            _ = try await world.sms.messages(to: bob.number.rawValue)
            #expect(try await world.tokens(of: bob).count == 1)
        }
    }
}
