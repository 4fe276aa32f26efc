import Foundation
import Testing

@testable import Postgres

@Suite("UUID version 7")
struct UUIDVersion7Tests {
    @Test("the example of RFC 9562 comes out as printed there")
    func matchesTheStandard() {
        // Appendix A.6: 2022-02-22 19:22:22 UTC, rand_a 0xCC3, rand_b 0x18C4DC0C0C07398F.
        let id = UUID.version7(
            milliseconds: 0x017F_22E2_79B0, counter: 0xCC3, random: 0x18C4_DC0C_0C07_398F)
        #expect(id.uuidString == "017F22E2-79B0-7CC3-98C4-DC0C0C07398F")
    }

    @Test("the ids of one process ascend, also from many tasks, and none comes twice")
    func ascends() async {
        let ids = (0..<20_000).map { _ in UUID.version7().uuidString }
        #expect(ids == ids.sorted())
        let many = await withTaskGroup(of: [UUID].self) { group in
            for _ in 0..<8 { group.addTask { (0..<5_000).map { _ in UUID.version7() } } }
            return await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
        }
        #expect(many.count == 40_000)
    }

    @Test("it holds the time it was made, its version and its variant")
    func holdsTime() throws {
        let before = UInt64(Date().timeIntervalSince1970 * 1000)
        let text = UUID.version7().uuidString.replacing("-", with: "")
        let milliseconds = try #require(UInt64(text.prefix(12), radix: 16))
        #expect(milliseconds >= before && milliseconds < before + 5_000)
        #expect(text.dropFirst(12).first == "7")
        #expect("89AB".contains(text.dropFirst(16).first ?? " "))
    }

    @Test("a clock that goes back, or a millisecond with too many ids, does not break the order")
    func survivesClocks() {
        let clock = Version7Clock()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var last = clock.next(now: now)
        for step in 0..<10_000 {
            let next = clock.next(now: now.addingTimeInterval(step.isMultiple(of: 2) ? 0 : -600))
            #expect(next > last)
            last = next
        }
        #expect(last.milliseconds < 1_800_000_000_000 + 20)
    }
}
