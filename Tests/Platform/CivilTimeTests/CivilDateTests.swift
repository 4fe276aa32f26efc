import CivilTime
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
    @Test("a day is counted from 1 January 1970, before and after it")
    func counts() {
        #expect(CivilDate(year: 1970, month: 1, day: 1).daysSince1970 == 0)
        #expect(CivilDate(year: 1969, month: 12, day: 31).daysSince1970 == -1)
        #expect(CivilDate(year: 2001, month: 1, day: 1).daysSince1970 == 11_323)
        #expect(CivilDate(year: 1, month: 1, day: 1).daysSince1970 == -719_162)
    }

    @Test("every count is one day, and the days come in order")
    func roundTrips() {
        for days in stride(from: -800_000, through: 800_000, by: 379) {
            let date = CivilDate(daysSince1970: days)
            #expect(date.daysSince1970 == days)
            #expect(date.exists)
            #expect(date < CivilDate(daysSince1970: days + 1))
        }
    }

    @Test("a day exists only within its month, and the leap day only in a leap year")
    func exists() {
        for (year, month, day) in [(2024, 2, 29), (2000, 2, 29), (2023, 12, 31)] {
            #expect(CivilDate(year: year, month: month, day: day).exists)
        }
        for (year, month, day) in [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0),
            (2024, 1, 32),
        ] {
            #expect(!CivilDate(year: year, month: month, day: day).exists, "\(year)-\(month)-\(day)")
        }
    }
}
