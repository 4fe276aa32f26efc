/// A `date`: a day of the calendar without a time or a zone.
package struct PostgresDate: Hashable, Comparable, Sendable, LosslessStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// `YYYY-MM-DD`; nil for anything else and for days that do not exist.
    package init?(_ text: String) {
        var scan = Digits(text)
        guard let year = scan.number(), text.utf8.count >= 10, scan.skip("-"), let month = scan.number(2),
            scan.skip("-"), let day = scan.number(2), scan.isAtEnd, (1...12).contains(month)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard PostgresDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    package var description: String {
        "\(Digits.pad(year, 4))-\(Digits.pad(month, 2))-\(Digits.pad(day, 2))"
    }

    package static func < (left: PostgresDate, right: PostgresDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension PostgresDate: PostgresCodable {
    package static var postgresType: PostgresType { .date }

    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(description) }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> PostgresDate {
        guard let value = PostgresDate(try field.require(PostgresDate.self)) else {
            throw field.mismatch(PostgresDate.self)
        }
        return value
    }
}
