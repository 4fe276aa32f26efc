import Crypto
import Foundation

/// A number with a fixed code, for the people who review the app for a store. The service sends no message to it.
/// Otherwise it is treated like any number. It stops working after `lastDay`.
package struct ReviewNumber: Sendable, Equatable {
    /// The largest number of days until `lastDay`.
    static let maxDays = 90

    package let number: PhoneNumber
    let code: String
    /// The last day, `YYYY-MM-DD` in UTC.
    package let lastDay: String
    /// The end of `lastDay`.
    let end: Date

    /// Reads `+14155550199=123456@2026-12-31`.
    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let rest = parts.last?.split(separator: "@", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, rest.count == 2,
            let number = PhoneNumberParser().parse(String(parts[0])),
            rest[0].utf8.count == 6, rest[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            rest[1].utf8.count == 10,
            let day = try? Date(String(rest[1]), strategy: .iso8601.year().month().day())
        else { return nil }
        self.number = number
        code = String(rest[0])
        lastDay = String(rest[1])
        end = day.addingTimeInterval(86_400)
    }

    /// The text for logs, without the whole number and without the code.
    var masked: String { "\(number.masked)=****@\(lastDay)" }

    package func isOpen(at now: Date) -> Bool { now < end }
}
