import Resilience
import Synchronization
import Testing

/// Guard: the SMS queue is bounded, retries a bounded number of times, drops stale messages and drains
/// (`Gate.enter`, `SMSQueue`)
@Suite("A gate")
struct GateTests {
    @Test("it admits as many as it has places, and reports how many are taken")
    func limit() throws {
        let reported = Mutex<[Int]>([])
        let gate = Gate(limit: 2) { taken in reported.withLock { $0.append(taken) } }
        let first = try #require(gate.enter())
        let second = try #require(gate.enter())
        #expect(gate.isFull)
        #expect(gate.enter() == nil)
        first.release()
        #expect(gate.taken == 1)
        let third = try #require(gate.enter())
        #expect(gate.enter() == nil)
        for place in [second, third] { place.release() }
        #expect(gate.taken == 0)
        #expect(reported.withLock { $0 } == [1, 2, 1, 2, 1, 0])
    }

    @Test("a place is given back once: by its release, or when nobody holds it any more")
    func givenBackOnce() throws {
        let gate = Gate(limit: 1)
        do {
            let place = try #require(gate.enter())
            place.release()
            place.release()
            #expect(gate.taken == 0)
        }
        #expect(gate.taken == 0)
        do {
            let place = try #require(gate.enter())
            #expect(gate.isFull)
            withExtendedLifetime(place) {}
        }
        #expect(gate.taken == 0)
    }

    @Test("it never admits too many at once, however many tasks try")
    func concurrent() async {
        let gate = Gate(limit: 3)
        let places = await withTaskGroup(of: Gate.Place?.self) { group in
            for _ in 0..<200 { group.addTask { gate.enter() } }
            return await group.reduce(into: [Gate.Place]()) { places, place in
                if let place { places.append(place) }
            }
        }
        #expect(places.count == 3)
        withExtendedLifetime(places) { #expect(gate.isFull) }
    }
}
