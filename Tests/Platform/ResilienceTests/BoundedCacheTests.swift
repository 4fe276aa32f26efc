import Testing

@testable import Resilience

@Suite("A bounded cache")
struct BoundedCacheTests {
    @Test("it keeps the latest used values and never more than its capacity")
    func bound() {
        let cache = BoundedCache<Int, String>(capacity: 10)
        for key in 0..<1_000 {
            cache.insert("\(key)", for: key)
            // The caller reads the first key again and again.
            #expect(cache[0] == "0")
            #expect((0...key).count { cache.peek($0) != nil } <= 10)
        }
        #expect((996..<1_000).allSatisfy { cache[$0] == "\($0)" })
        #expect(cache[500] == nil)
    }

    @Test("a value is made once while the cache keeps it")
    func making() {
        let cache = BoundedCache<Int, Int>(capacity: 4)
        var made = 0
        for _ in 0..<3 {
            let value = cache.value(for: 7) {
                made += 1
                return 49
            }
            #expect(value == 49)
        }
        #expect(made == 1)
    }

    /// Guard: a kept list of members belongs to one newest event, and goes after an hour without a use
    /// (`GroupViews`, `BoundedCache`)
    @Test("a value goes when its idle time is over, and not before")
    func idling() {
        let (forgetful, patient) = (
            BoundedCache<Int, String>(capacity: 10, idleTime: .zero),
            BoundedCache<Int, String>(capacity: 10, idleTime: .seconds(3_600))
        )
        for cache in [forgetful, patient] { cache.insert("Ada", for: 1) }
        #expect(forgetful[1] == nil)
        #expect(patient[1] == "Ada")
    }

    @Test("a newer value replaces an older one of the same key")
    func replacing() {
        let cache = BoundedCache<Int, Int>(capacity: 4)
        cache.insert(1, for: 1)
        for key in 2...3 { cache.insert(key, for: key) }
        cache.insert(10, for: 1)
        #expect(cache[1] == 10)
    }
}
