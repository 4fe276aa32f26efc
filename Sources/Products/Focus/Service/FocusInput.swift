import Auth
import CivilTime
import FocusRules
import Foundation
import HTTPKit
import PhoneService
import Postgres

/// The members of requests that several calls have. Each throws 400 that points at the member.
enum FocusInput {
    static func name(_ text: String?, _ pointer: String = "/name") throws(InputFault) -> String? {
        guard let text else { return nil }
        return try requiredName(text, pointer)
    }

    static func requiredName(_ text: String, _ pointer: String) throws(InputFault) -> String {
        do { return try DisplayName(checking: text).rawValue } catch {
            throw InputFault(pointer, error.rule)
        }
    }

    static func emoji(_ text: String?) throws(InputFault) -> String? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars
        guard (1...8).contains(scalars.count),
            !scalars.contains(where: { $0.properties.isWhitespace || $0.value < 32 })
        else { throw InputFault("/emoji", "must be 1 to 8 Unicode scalars") }
        return text
    }

    static func mode(_ text: String?) throws(InputFault) -> FocusMode {
        guard let mode = text.flatMap(FocusMode.init) else {
            throw InputFault("/mode", "must be allow_list or block_list")
        }
        return mode
    }

    static func number(
        _ value: Int, _ range: ClosedRange<Int>, _ pointer: String
    ) throws(InputFault) -> Int {
        guard range.contains(value) else {
            throw InputFault(pointer, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A day such as `2026-03-02`.
    static func day(_ text: String, _ pointer: String) throws(InputFault) -> DayNumber {
        guard let day = CivilDate.dayNumber(text) else {
            throw InputFault(pointer, "must be a day such as 2026-03-02")
        }
        return day
    }

    /// A time of day such as `22:00`, in minutes since midnight.
    static func time(_ text: String, _ pointer: String) throws(InputFault) -> Int {
        guard let match = text.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/), let hour = Int(match.1),
            let minute = Int(match.2)
        else { throw InputFault(pointer, "must be a time such as 22:00") }
        return hour * 60 + minute
    }
}

/// The apps that a session shields.
enum FocusMode: String, Sendable, PostgresCodable {
    /// All but the chosen ones.
    case allowList = "allow_list"
    /// The chosen ones.
    case blockList = "block_list"
}
