import DaylyAPI
import DaylyClient
import Foundation

/// The part of Focus in a ``FakeService``: one phone's streaks by the days of UTC.
struct FakeFocus: Sendable {
    var profile: FocusProfile?
    var devices: [FocusDevice] = []
    /// The last event of each phone.
    var acknowledged: [ResourceID: Int] = [:]
    var lockedAt: Date?
    var streaks: [FocusStreak] = []
    var minutes: [String: Int] = [:]
    var ratings: [String: String] = [:]
    var sessions: [FocusSession] = []
    var xp = 0

    /// Takes an event if its number is new.
    mutating func take(_ event: FocusSyncEvent, of device: ResourceID) {
        guard event.seq > acknowledged[device, default: 0] else { return }
        acknowledged[device] = event.seq
        switch event.kind {
        case "lock": lockedAt = lockedAt ?? event.at
        case "unlock":
            if let began = lockedAt { end(began, at: event.at) }
            lockedAt = nil
        case "usage":
            if let day = event.day { minutes[day] = max(minutes[day] ?? 0, event.minutes ?? 0) }
        default: break
        }
    }

    private mutating func end(_ began: Date, at end: Date) {
        let seconds = Int(end.timeIntervalSince(began))
        let points = FocusStreakFigures.points(ofSeconds: seconds)
        guard points > 0 else { return }
        streaks.append(
            FocusStreak(
                beganAt: began, endedAt: end, seconds: seconds, points: points, estimated: false,
                counted: true))
    }

    func day(_ day: String) -> FocusDay {
        let streaks = streaks.filter { FakeDay.of($0.endedAt) == day }
        let minutes = minutes[day]
        return FocusDay(
            day: day, points: Self.points(streaks), streakCount: streaks.count,
            longestStreak: streaks.map(\.seconds).max() ?? 0, estimated: false,
            streaks: Nullable(wrappedValue: streaks), minutes: minutes,
            score: minutes.map { max(0, 100 - Double($0) / 10) }, usagePoints: nil, closed: false,
            rating: ratings[day])
    }

    func week(_ monday: String) -> FocusWeek {
        let days = FakeDay.week(monday).map(day)
        return FocusWeek(
            week: monday, points: Self.sum(days.map(\.points)),
            streakCount: days.map(\.streakCount).reduce(0, +),
            longestStreak: days.map(\.longestStreak).max() ?? 0, estimated: false, days: days)
    }

    /// The points of the twelve longest.
    private static func points(_ streaks: [FocusStreak]) -> Double {
        sum(streaks.map(\.points).sorted(by: >).prefix(12).map { $0 })
    }

    private static func sum(_ points: [Double]) -> Double {
        (points.reduce(0, +) * 100).rounded() / 100
    }
}

/// Days and weeks of UTC.
enum FakeDay {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }

    static func of(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let text = [parts.month, parts.day].map { part in
            let digits = String(part ?? 0)
            return digits.count < 2 ? "0" + digits : digits
        }
        return "\(parts.year ?? 0)-" + text.joined(separator: "-")
    }

    static func date(_ day: String) -> Date? {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        return calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
    }

    static func monday(of date: Date) -> String {
        of(calendar.dateInterval(of: .weekOfYear, for: date)?.start ?? date)
    }

    /// The seven days of a week.
    static func week(_ monday: String) -> [String] {
        guard let start = date(monday) else { return [] }
        return (0..<7).map { of(start.addingTimeInterval(Double($0) * 86_400)) }
    }
}
