import CivilTime

/// A `date`: a day of the calendar without a time or a zone.
package typealias PostgresDate = CivilDate

extension CivilDate: LosslessStringConvertible {
    /// `YYYY-MM-DD`; nil for anything else and for days that do not exist.
    package init?(_ text: String) {
        var scan = Digits(text)
        guard let year = scan.number(), text.utf8.count >= 10, scan.skip("-"), let month = scan.number(2),
            scan.skip("-"), let day = scan.number(2), scan.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard exists else { return nil }
    }

    package var description: String {
        "\(Digits.pad(year, 4))-\(Digits.pad(month, 2))-\(Digits.pad(day, 2))"
    }
}

extension CivilDate: PostgresCodable {
    package static var postgresType: PostgresType { .date }

    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(description) }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> CivilDate {
        guard let value = CivilDate(try field.require(CivilDate.self)) else {
            throw field.mismatch(CivilDate.self)
        }
        return value
    }
}
