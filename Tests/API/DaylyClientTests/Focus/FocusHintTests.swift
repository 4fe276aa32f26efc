import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("Hints on the stream of events")
struct FocusHintTests {
    private func text(_ event: DaylyEvent?) -> String {
        switch event {
        case .focusNow: "now"
        case .focusBoard(let hint): "board \(hint.groupID) \(hint.week)"
        case .focusResync: "focus resync"
        case .companionDay: "day"
        case .companionPet: "pet"
        case .companionWallet: "wallet"
        case .resync: "resync"
        case .memberLeft: "left"
        default: "other"
        }
    }

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

                event: companion.day
                data: {}

                event: companion.pet
                data: {}

                event: companion.wallet
                data: {}


                """.utf8))
        var seen: [String] = []
        for _ in 1...8 { seen.append(text(try await events.next())) }
        let focus = ["now", "board \(group) 2026-03-02", "focus resync"]
        #expect(seen == ["resync", "left"] + focus + ["day", "pet", "wallet"])
        first.finish()
        try await eventually("a pause") { clock.sleepers == 1 }
        clock.advance(by: .seconds(1))
        #expect(text(try await events.next()) == "focus resync", "hints are not kept by the service")
        #expect(stub.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7"])
    }
}
