import DaylyAPI
import Postgres

/// The hours in which a user gets no notifications: from one time of day to another, in the time zone of the profile. They
/// may include midnight.
struct QuietHours: Sendable, Equatable {
    static let rule = "must be a time of day from 00:00 to 23:59, such as 22:30"

    /// `HH:MM`.
    let from: String
    let to: String

    init?(_ row: PostgresRow) throws {
        guard let from: String = try row.get("quiet_from"), let to: String = try row.get("quiet_to") else {
            return nil
        }
        self.from = from
        self.to = to
    }

    /// - Throws: `AuthError.invalid`.
    init(from: String, to: String) throws {
        for (text, pointer) in [(from, "/quiet_from"), (to, "/quiet_to")] where !Self.isTimeOfDay(text) {
            throw AuthError.invalid(pointer: pointer, rule: Self.rule)
        }
        guard from != to else {
            throw AuthError.invalid(pointer: "/quiet_to", rule: "must differ from quiet_from")
        }
        self.from = from
        self.to = to
    }

    private static func isTimeOfDay(_ text: String) -> Bool {
        text.utf8.count == 5 && text.wholeMatch(of: /(?:[01][0-9]|2[0-3]):[0-5][0-9]/) != nil
    }
}

/// The change of the quiet hours that a request asks for.
enum QuietChange: Sendable {
    case unchanged
    case ended
    case set(QuietHours)

    /// - Throws: `AuthError.invalid` unless both members are times, both are null, or both are left out.
    init(from: Nullable<String>?, to: Nullable<String>?) throws {
        switch (from, to) {
        case (nil, nil): self = .unchanged
        case (nil, _):
            throw AuthError.invalid(pointer: "/quiet_from", rule: "is needed together with quiet_to")
        case (_, nil):
            throw AuthError.invalid(pointer: "/quiet_to", rule: "is needed together with quiet_from")
        case (let from?, let to?):
            switch (from.wrappedValue, to.wrappedValue) {
            case (nil, nil): self = .ended
            case (let from?, let to?): self = .set(try QuietHours(from: from, to: to))
            default:
                throw AuthError.invalid(
                    pointer: "/quiet_to", rule: "must be null if and only if quiet_from is null")
            }
        }
    }

    var isChange: Bool {
        if case .unchanged = self { false } else { true }
    }

    var hours: QuietHours? {
        if case .set(let hours) = self { hours } else { nil }
    }
}
