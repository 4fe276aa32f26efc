import DeviceIntake
import Testing

@Suite("Draws")
struct DrawTests {
    @Test(
        "R1: a text always draws the same number",
        arguments: [
            ("a", 0x02c0_bdbf_4814_20f8, 0.010753497314070604),
            ("é", 0x2334_0361_7480_019e, 0.1375124085357129),
        ] as [(String, UInt64, Double)])
    func examples(text: String, bits: UInt64, value: Double) {
        #expect(Draw(text).bits == bits)
        #expect(Draw(text).value == value)
    }

    @Test("parts are joined by a bar, with days and instants as the API writes them")
    func joinsParts() {
        let at = instant("2026-03-02T09:00:07Z")
        #expect(
            Draw(.text("u"), .day(utcDay(of: at)), .instant(at), .number(12)).bits
                == Draw("u|2026-03-02|2026-03-02T09:00:07Z|12").bits)
        #expect(Draw(.day(-1)).bits == Draw("1969-12-31").bits)
    }

    @Test("an index lies below its count, and takes every value")
    func spreads() {
        let indices = (0..<1_000).map { Draw(.text("spread"), .number($0)).index(of: 5) }
        #expect(Set(indices) == [0, 1, 2, 3, 4])
    }
}

@Suite("Days in UTC")
struct UTCDayTests {
    @Test("a second before midnight belongs to the day before, also before 1970")
    func cuts() {
        #expect(utcDay(of: 86_399) == 0)
        #expect(utcDay(of: 86_400) == 1)
        #expect(utcDay(of: -1) == -1)
        #expect(utcDay(of: -86_400) == -1)
        #expect(utcDay(of: -86_401) == -2)
    }
}
