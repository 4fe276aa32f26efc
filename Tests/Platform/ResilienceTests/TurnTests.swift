import Resilience
import Testing

@Suite("Turns")
struct TurnTests {
    @Test("a grant ends the wait, also one that comes before it, and is taken once")
    func grant() async {
        let early = Turn()
        #expect(early.grant())
        #expect(!early.grant())
        #expect(await early.wait())

        let late = Turn()
        async let isGranted = late.wait()
        await Task.yield()
        #expect(late.grant())
        #expect(await isGranted)
    }

    /// Guard: whoever has given up gets nothing that another one could have (`Turn.end`)
    @Test("after the deadline, or a cancellation before or during the wait, nothing is taken")
    func givenUp() async {
        let late = Turn()
        #expect(await !late.wait(until: .now))
        #expect(!late.grant())

        let cancelled = Turn()
        let waiting = Task { await cancelled.wait(until: .now + .seconds(3600)) }
        waiting.cancel()
        #expect(await !waiting.value)
        #expect(!cancelled.grant())
    }

    @Test("of a grant and a cancellation at once one counts, for both sides")
    func race() async {
        for _ in 0..<2_000 {
            let turn = Turn()
            let waiting = Task { await turn.wait() }
            async let isTaken = Task.detached { turn.grant() }.value
            waiting.cancel()
            let (taken, granted) = (await isTaken, await waiting.value)
            #expect(taken == granted)
        }
    }
}
