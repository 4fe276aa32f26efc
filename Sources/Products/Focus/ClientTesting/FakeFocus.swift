import DaylyClientTesting
import FocusClient
import FocusAPI
import DaylyAPI
import DaylyClient
import Foundation

/// The part of Focus in a ``FakeService``: one phone's streaks by the days of UTC.
struct FakeFocus: FakePart {
    static let path = "focus"

    var scene: FakeScene
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
