import Auth
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Logging
import Postgres
import Synchronization

@testable import Events
@testable import Groups

/// Groups in a database of their own, and streams over them.
struct EventWorld: TestWorld {
    let postgres: PostgresClient
    /// The database client of the process that answers people's calls.
    let writer: PostgresClient
    let groups: GroupStore
    let events: EventService
    let authenticator: Authenticator
    /// How often events were read: each reading asks for their photos once.
    let readings = Counter()

    /// The process that answers people's calls: the one with the streams, or another one.
    enum Process: CaseIterable, Sendable {
        case own, other
    }

    /// - Parameter isPumped: whether streams receive events.
    static func run(
        _ change: (inout EventSettings) -> Void = { _ in }, isPumped: Bool = true, calls: Process = .own,
        _ body: @escaping @Sendable (EventWorld) async throws -> Void
    ) async throws {
        var settings = EventSettings()
        change(&settings)
        try await withDatabase { postgres in
            let other = calls == .other ? Self.otherProcess(postgres) : nil
            let world = EventWorld(
                postgres, writer: other?.client ?? postgres, settings,
                try await Fixtures.authenticator(postgres))
            let pump = isPumped ? world.pump() : nil
            if isPumped { try await world.untilListening() }
            defer { pump?.cancel() }
            try await body(world)
            pump?.cancel()
            await pump?.value
            other?.notifier.cancel()
            await other?.notifier.value
            await other?.client.close()
        }
    }

    /// Another process: connections of its own, and a notifier.
    private static func otherProcess(
        _ postgres: PostgresClient
    ) -> (client: PostgresClient, notifier: Task<Void, Never>) {
        var configuration = PostgresConfiguration(url: postgres.configuration.url)
        configuration.maxConnections = 2
        let logger = Logger.silent
        let notifier = CommitNotifier(configuration, channels: [GroupEventSignal.channel], logger: logger)
        return (
            PostgresClient(configuration: configuration, logger: logger), Task { try? await notifier.run() }
        )
    }

    private init(
        _ postgres: PostgresClient, writer: PostgresClient, _ settings: EventSettings,
        _ authenticator: Authenticator
    ) {
        self.postgres = postgres
        self.writer = writer
        self.authenticator = authenticator
        groups = GroupStore(postgres: writer)
        let readings = readings
        events = EventService(
            log: GroupLogStore(postgres: postgres), cursors: GroupCursors(secret: Fixtures.secret),
            photos: { ids in
                readings.increment()
                return try await Self.photos(ids, in: postgres)
            }, hub: EventHub(settings: settings),
            settings: settings, logger: .silent)
    }

    /// Waits until every stream receives events from memory, without reading the log.
    func untilInStep() async throws {
        try await eventually("the streams are in step") {
            events.hub.streams.allSatisfy { $0.state.withLock { !$0.isBehind && !$0.isReading } }
        }
    }

    func pump() -> Task<Void, Never> {
        let pump = EventPump(service: events, authenticator: authenticator)
        return Task { try? await pump.run() }
    }

    func untilListening() async throws {
        try await eventually("somebody listens") {
            try await postgres.first(
                "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'")
                != nil
        }
    }

    private static func photos(_ ids: [UUID], in postgres: PostgresClient) async throws -> [DaylyAPI.Photo] {
        try await postgres.query(
            "SELECT id, group_id, sender_id FROM photos WHERE id = ANY(\(ids)) AND expires_at > now()"
        ).map { row in
            DaylyAPI.Photo(
                id: ResourceID(try row.get("id")), groupID: ResourceID(try row.get("group_id")),
                senderID: ResourceID(try row.get("sender_id")), senderName: "Ada",
                createdAt: Date(timeIntervalSince1970: 0), expiresAt: Date(timeIntervalSince1970: 0),
                width: 1,
                height: 1, thumbhash: "", url: "u", thumbnailURL: "t", urlExpiresAt: Date())
        }
    }

    // MARK: What people do

    func group(of members: [Person]) async throws -> GroupID {
        let id = GroupID(rawValue: .version7())
        try await writer.transaction { tx in
            try groups.insertGroup(tx, id: id, name: "Family")
            for member in members { try groups.insertMember(tx, group: id, user: member.id) }
        }
        return id
    }

    func join(_ person: Person, _ group: GroupID) async throws {
        try await writer.transaction { tx in
            try groups.requireLocked(tx, group)
            try groups.insertMember(tx, group: group, user: person.id)
        }
    }

    /// When the last member leaves, the group is deleted.
    func leave(_ person: Person, _ group: GroupID) async throws {
        try await writer.transaction { tx in
            try groups.requireLocked(tx, group)
            try groups.deleteMember(tx, group: group, user: person.id)
            try groups.delete(tx, groups: try groups.empty(tx, among: [group]))
        }
    }

    func rename(_ group: GroupID, _ name: String) async throws {
        try await writer.transaction { tx in
            try groups.requireLocked(tx, group)
            try groups.rename(tx, group: group, to: name)
        }
    }

    @discardableResult
    func addPhoto(to group: GroupID, from sender: Person) async throws -> UUID {
        let id = UUID.version7()
        let day = Int.random(in: 1...1_000_000)
        try await writer.transaction { tx in
            try groups.requireLocked(tx, group)
            try tx.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                    photo_key, thumbnail_key)
                VALUES (\(id), \(group), \(sender.id), current_date + \(day)::integer, now(), 64, 48, '\\x01',
                    \("photos/\(id).jpg"), \("photos/\(id)_t.jpg"))
                """)
            try tx.execute(
                "UPDATE photos SET lease_until = NULL, expires_at = now() + interval '48 hours' WHERE id = \(id)"
            )
        }
        return id
    }

    func endPhoto(_ id: UUID) async throws {
        try await writer.execute("UPDATE photos SET expires_at = now() WHERE id = \(id)")
    }

    // MARK: Listening

    func listen(_ person: Person, after cursor: String? = nil) async throws -> Phone {
        try await listen(person.identity, after: cursor)
    }

    /// Returns when the stream has begun.
    func listen(_ person: Identity, after cursor: String? = nil) async throws -> Phone {
        let phone = Phone(events, try await events.start(person, after: cursor))
        try await eventually("the stream has begun") { phone.cursor != nil || phone.isOver }
        return phone
    }
}

/// A client that keeps everything it receives.
final class Phone: Sendable {
    private struct State {
        var text = ""
        var isOver = false
        var isHeld = false
    }

    private let state: Mutex<State>
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ events: EventService, _ start: EventStart) {
        state = Mutex(State())
        task.withLock { [self] task in
            task = Task {
                try? await events.run(start) { text in
                    while isHeld { try await Task.sleep(for: .milliseconds(5)) }
                    state.withLock { $0.text += text }
                }
                state.withLock { $0.isOver = true }
            }
        }
    }

    private var isHeld: Bool { state.withLock { $0.isHeld } }

    /// While held, the client reads nothing.
    func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    var text: String { state.withLock { $0.text } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Cuts the connection.
    func cut() async {
        let task = task.withLock { $0 }
        task?.cancel()
        await task?.value
    }

    var events: [EventText.Event] { EventText(text).events }

    /// The last cursor, with an event or without.
    var cursor: String? { EventText(text).cursor }

    var names: [String] { events.map(\.name) }

    func wait(for count: Int) async throws {
        try await eventually("\(count) events") { self.events.count >= count }
    }
}
