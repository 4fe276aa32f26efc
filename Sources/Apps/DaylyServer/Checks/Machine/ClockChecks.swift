import DailyPhotos
import FeatureKit
import Foundation

/// How far another clock is ahead of ours, in seconds, as two bounds: the answer took an unknown part of the time between.
struct ClockReading: Sendable, Equatable {
    let low: TimeInterval
    let high: TimeInterval

    /// - Parameters:
    ///   - resolution: The rounding of the answer, in seconds; 1 for a clock that answers in whole seconds.
    ///   - read: Asks the other clock; nil if it does not answer.
    static func take(
        resolution: TimeInterval, now: () -> Date = { Date() }, _ read: () async throws -> Date?
    ) async rethrows -> ClockReading? {
        let before = now()
        guard let theirs = try await read() else { return nil }
        let after = now()
        return ClockReading(
            low: theirs.timeIntervalSince(after), high: theirs.timeIntervalSince(before) + resolution)
    }

    /// How far `other` is ahead of this one.
    func behind(_ other: ClockReading) -> ClockReading {
        ClockReading(low: other.low - high, high: other.high - low)
    }

    /// The smallest difference that explains the answers; 0 if the clocks may agree.
    var difference: TimeInterval { low > 0 ? low : min(high, 0) }

    static let ours = ClockReading(low: 0, high: 0)
}

/// Compares the clocks of this machine, the database and the object store, each with each.
struct ClockChecks: Sendable {
    static let tolerance: TimeInterval = 5

    let database: ClockReading?
    let store: ClockReading?

    private enum Clock: String {
        case service = "this machine"
        case database = "the database"
        case store = "the object store"

        /// The purposes of this clock.
        var use: String {
            switch self {
            case .service: "it dates tokens and signatures of requests to the object store"
            case .database: "it decides days, expiry, and the start of links to photos"
            case .store:
                "it decides when links to photos expire, and refuses requests that are 15 minutes off"
            }
        }
    }

    var findings: [Finding] {
        let clocks: [(Clock, ClockReading)] =
            [(.service, .ours)]
            + [(Clock.database, database), (.store, store)].compactMap { clock, reading in
                reading.map { (clock, $0) }
            }
        guard clocks.count > 1 else {
            return [.skipped("clocks", "neither the database nor the object store gave its time")]
        }
        var pairs: [(one: Clock, other: Clock, difference: TimeInterval)] = []
        for (index, one) in clocks.enumerated() {
            for other in clocks[(index + 1)...] {
                let difference = one.1.behind(other.1).difference
                if abs(difference) > Self.tolerance { pairs.append((one.0, other.0, difference)) }
            }
        }
        guard !pairs.isEmpty else {
            let names = clocks.map(\.0.rawValue).joined(separator: ", ")
            return [.ok("clocks", "within \(Int(Self.tolerance)) s of each other: \(names)")]
        }
        // If one of three clocks differs from both others, it is the wrong one.
        let counts = Dictionary(grouping: pairs.flatMap { [$0.one, $0.other] }) { $0 }
        let wrong = clocks.count == 3 && pairs.count == 2 ? counts.first { $0.value.count == 2 }?.key : nil
        return pairs.map { pair in
            let seconds = Int(abs(pair.difference).rounded())
            let isAhead = pair.difference > 0
            let suspect = wrong ?? pair.other
            let pauses =
                Set([pair.one, pair.other]) == [.database, .store]
                && abs(pair.difference) > ClockWatch.tolerance
            return .problem(
                "clocks",
                "\(pair.other.rawValue) is \(seconds) s \(isAhead ? "ahead of" : "behind") \(pair.one.rawValue)"
                    + (pauses ? ": nothing is deleted and uploads are refused until they agree" : ""),
                remedy: Self.remedy(suspect, isCertain: wrong != nil))
        }
    }

    private static func remedy(_ suspect: Clock, isCertain: Bool) -> String {
        let clock = isCertain ? "the clock of \(suspect.rawValue)" : "the clock that is wrong"
        return "Synchronize \(clock) by NTP (`timedatectl set-ntp true`, or chrony): \(suspect.use)."
    }
}
