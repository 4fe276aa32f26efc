@testable import PhoneClient
import DaylyClient
import ClientFixtures
@testable import FocusClient
import FocusAPI
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation

/// A queue over a service that numbers events as the real one does.
struct FocusSyncWorld: Sendable {
    /// The service: the events that it has, and the answers that a test has put before them.
    struct Service: Sendable {
        var events: [FocusSyncEvent] = []
        var answers: [Answer] = []
        var syncs: [FocusSync] = []
        var others: [FocusOtherEvent] = []
        var rejected: [FocusRejection] = []
        var hasMore = 0
    }

    enum Answer: Sendable {
        /// The service does nothing.
        case refusal(StubAnswer)
        case lostRequest
        /// The service has the events, and the phone does not learn of it.
        case lostAnswer
        case delay(Door)
    }

    let temporary: TemporaryFolder
    let clock = ManualClock()
    let service = Locked(Service())
    let session: TokenTransport
    let queue: FocusSyncQueue
    static let now = FocusNow(
        status: "verified", streak: nil,
        day: .init(day: "2026-03-02", points: 0, streakCount: 0, longestStreak: 0, minutes: nil),
        week: .init(week: "2026-03-02", points: 0, streakCount: 0, longestStreak: 0), session: nil,
        goal: .init(minutes: nil, fromTomorrow: nil, streak: 0, lives: 1),
        freeze: .init(available: false, frozenToday: false), xp: 0, coins: 0, tier: "bronze",
        tutorial: "offered", proUntil: nil)

    init(
        temporary: TemporaryFolder? = nil, user: ResourceID? = .numbered(1), uptime: PhoneUptime? = nil
    ) throws {
        let temporary = try temporary ?? TemporaryFolder()
        let (service, clock) = (service, clock)
        session = TokenTransport(
            StubTransport { request in
                let sync = try ClientJSON.decode(FocusSync.self, from: request.body ?? Data())
                return try await Self.answer(sync, service, at: clock.now)
            })
        self.temporary = temporary
        queue = FocusSyncQueue(
            FocusPhones.self,
            folder: temporary.url.appendingPathComponent("focus"),
            requests: RequestBuilder(baseURL: temporary.url), authorized: session, clock: clock,
            uptime: { uptime }, user: { () throws(DaylyError) in user })
    }

    private static func answer(
        _ sync: FocusSync, _ service: Locked<Service>, at now: Date
    ) async throws -> StubAnswer {
        let planned = service.withLock { service in
            service.syncs.append(sync)
            return service.answers.isEmpty ? nil : service.answers.removeFirst()
        }
        switch planned {
        case .refusal(let answer): return answer
        case .lostRequest: throw TransportError("no network")
        case .delay(let door): await door.pass()
        case .lostAnswer, nil: break
        }
        let answer = service.withLock { take(sync, $0.events.last?.seq ?? 0, &$0, at: now) }
        if case .lostAnswer = planned { throw TransportError("reset") }
        return .json(answer)
    }

    private static func take(
        _ sync: FocusSync, _ last: Int, _ service: inout Service, at now: Date
    ) -> FocusSyncAnswer {
        service.events += sync.events.filter { $0.seq > last }
        defer { service.hasMore = max(0, service.hasMore - 1) }
        return FocusSyncAnswer(
            acknowledged: service.events.last?.seq ?? 0, rejected: service.rejected, others: service.others,
            cursor: "cursor-\(service.syncs.count)", hasMore: service.hasMore > 0, serverTime: now,
            now: Self.now)
    }

    /// The same phone after the end of its process.
    func again(user: ResourceID? = .numbered(1)) throws -> FocusSyncWorld {
        let world = try FocusSyncWorld(temporary: temporary, user: user)
        world.service.withLock { $0.events = service.withLock(\.events) }
        return world
    }

    func plan(_ answers: Answer...) { service.withLock { $0.answers = answers } }

    var syncs: [FocusSync] { service.withLock(\.syncs) }
    /// The numbers of the events that the service has.
    var kept: [Int] { service.withLock { $0.events.map(\.seq) } }

    func record(_ event: FocusPhoneEvent = .unlock(.automatic)) async throws {
        try await queue.record(event)
        await queue.settle()
    }

    func resume() async {
        await queue.resume()
        await queue.settle()
    }

    func status() async -> PhoneSyncStatus? {
        await queue.statuses.first { _ in true }
    }

    /// Lets a wait of the queue pass.
    func skip(_ pause: Duration) async throws {
        try await eventually("a wait") { clock.sleepers == 1 }
        clock.advance(by: pause)
    }
}
