import DaylyClient
import DaylyAPI
import Foundation

/// The check of the days that events name.
package enum PhoneEventDay {
    /// - Throws: `invalid_request` for a text that is not a date such as 2026-03-02.
    package static func check(_ day: String) throws(DaylyError) {
        guard !isDay(day) else { return }
        throw .problem(
            ProblemDocument(
                type: "/problems/invalid_request", title: "The request is not valid.", status: 400,
                detail: "\(day) is not a day such as 2026-03-02.", code: ProblemCode.invalidRequest.rawValue))
    }

    private static func isDay(_ text: String) -> Bool {
        guard text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(calendar: calendar, year: parts[0], month: parts[1], day: parts[2])
        return day.isValidDate
    }
}
