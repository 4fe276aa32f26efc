@testable import FocusClient
import DaylyClient
import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@Suite("Hints on the stream of events")
struct FocusHintTests {
    private func text(_ event: DaylyEvent?) -> String {
        switch event?.focus {
        case .now: "now"
        case .board(let hint): "board \(hint.groupID) \(hint.week)"
        case .everything: "everything"
        case nil: "nothing"
        }
    }

    /// Guard: hints of Focus and Companion do not move the cursor (`EventParser.dispatch`)
    @Test("a hint is an event of its own, and does not move the cursor")
    func hints() async throws {
        let clock = ManualClock()
        let pipes = Locked<[AsyncThrowingStream<Data, any Error>.Continuation]>([])
        let stub = StubTransport { _ in
            let (body, pipe) = AsyncThrowingStream<Data, any Error>.makeStream()
            pipes.withLock { $0.append(pipe) }
            return StubAnswer(.eventStream, body: body)
        }
        let stream = DaylyEventStream(
            requests: RequestBuilder(baseURL: URL(fileURLWithPath: "/")),
            authorized: TokenTransport(stub), clock: clock, random: { 1 })
        var events = stream.makeAsyncIterator()
        let group = ResourceID.numbered(1)
        let first = try await eventually("a connection") { pipes.withLock { $0.first } }
        let left = #"{"group_id":"\#(group)","user_id":null,"first_name":null}"#
        first.yield(
            Data(
                """
                id: 7
                event: member.left
                data: \(left)

                event: focus.now
                data: {}

                event: focus.board
                data: {"group_id":"\(group)","week":"2026-03-02"}

                event: focus.board
                data: {}

                event: of.another.product
                data: {}

                id: 8
                event: of.a.newer.service
                data: {}

                event: focus.now
                data: {}


                """.utf8))
        var seen: [String] = []
        for _ in 1...7 { seen.append(text(try await events.next())) }
        #expect(
            seen == [
                "everything", "nothing", "now", "board \(group) 2026-03-02", "everything", "nothing", "now",
            ])
        first.finish()
        try await eventually("a pause") { clock.sleepers == 1 }
        clock.advance(by: .seconds(1))
        #expect(text(try await events.next()) == "everything", "hints are not kept by the service")
        #expect(stub.requests.map { $0.headers["Last-Event-ID"] } == [nil, "8"])
    }
}
