import DaylyClient
import ClientFixtures
@testable import CompanionClient
@testable import PhoneClient
import CompanionAPI
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

/// The machinery of the queue is tested with Focus' events.
@Suite("Companion: the queue of events")
struct CompanionSyncQueueTests {
    private let temporary: TemporaryFolder
    private let clock = ManualClock()
    private let syncs = Locked<[CompanionSync]>([])
    private let queue: CompanionSyncQueue

    init() throws {
        temporary = try TemporaryFolder()
        let (syncs, clock) = (syncs, clock)
        let stub = StubTransport { request in
            let sync = try ClientJSON.decode(CompanionSync.self, from: request.body ?? Data())
            syncs.withLock { $0.append(sync) }
            return .json(
                CompanionSyncAnswer(
                    acknowledged: sync.events.last?.seq ?? 0,
                    rejected: sync.events.filter { $0.kind == "reshield" }
                        .map { .init(seq: $0.seq, reason: "bad_clock") },
                    serverTime: clock.now, day: CompanionExamples.day(bypasses: 1, hp: 95)))
        }
        queue = CompanionSyncQueue(
            CompanionPhones.self,
            folder: temporary.url.appendingPathComponent("companion"),
            requests: RequestBuilder(baseURL: temporary.url), authorized: TokenTransport(stub), clock: clock,
            uptime: { PhoneUptime(bootID: "boot", seconds: 42) },
            user: { () throws(DaylyError) in .numbered(1) })
    }

    private func record(_ event: CompanionPhoneEvent) async throws {
        try await queue.record(event)
        await queue.settle()
    }

    @Test("each kind of event goes at once, with the phone's clock and uptime")
    func kinds() async throws {
        let device = try await queue.device()
        for event in [CompanionPhoneEvent.open, .bypass, .reshield, .usage(day: "2026-03-02", minutes: 96)] {
            try await record(event)
        }
        let sent = syncs.withLock { $0 }
        #expect(sent.map { $0.events.map(\.seq) } == [[1], [2], [3], [4]])
        #expect(sent.flatMap(\.events).map(\.kind) == ["open", "bypass", "reshield", "usage"])
        #expect(sent.allSatisfy { $0.deviceID == device && $0.clientTime == clock.now })
        #expect(sent.allSatisfy { $0.bootID == "boot" && $0.uptime == 42 && $0.events[0].uptime == 42 })
        #expect(sent[3].events[0].day == "2026-03-02" && sent[3].events[0].minutes == 96)
        #expect(sent[3].events[0].final == nil)
    }

    @Test("an answer has the day, and the reasons for which events count as none")
    func answers() async throws {
        var answers = queue.answers.makeAsyncIterator()
        try await record(.reshield)
        let answer = try #require(await answers.next())
        #expect(answer.day.hp == 95 && answer.serverTime == clock.now)
        #expect(answer.rejected == [.init(seq: 1, reason: "bad_clock")])
        #expect(await queue.statuses.first { _ in true }?.pending == 0)
    }

    /// Guard: a report about a day that is none gets no number, so that it cannot stop the events after it
    /// (`PhoneEvent.check`)
    @Test("a report is kept within 60 hours, and one about no day gets no number")
    func reports() async throws {
        let error = await #expect(throws: DaylyError.self) {
            try await queue.record(.usage(day: "2026-02-30", minutes: 1))
        }
        #expect(error?.code == .invalidRequest)
        try await record(.usage(day: "2026-03-02", minutes: 5_000, isFinal: true))
        let event = try #require(syncs.withLock { $0.first?.events.first })
        #expect(event.seq == 1 && event.minutes == 3_600 && event.final == true)
    }
}
