import FeatureKit
import DailyPhotos
import Foundation

/// How far another clock is ahead of ours, in seconds: somewhere between two bounds, since its answer took its time.
struct ClockReading: Sendable, Equatable {
    let low: TimeInterval
    let high: TimeInterval

    /// - Parameters:
    ///   - resolution: what the answer may be behind by itself; 1 for whole seconds.
    ///   - read: asks; nil when there is no answer.
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

    /// The least difference that explains the answers; 0 when there need be none.
    var difference: TimeInterval { low > 0 ? low : min(high, 0) }

    static let ours = ClockReading(low: 0, high: 0)
}

/// The clocks of this machine, the database and the object store, each with each.
struct ClockChecks: Sendable {
    static let tolerance: TimeInterval = 5

    let database: ClockReading?
    let store: ClockReading?

    private enum Clock: String {
        case service = "this machine"
        case database = "the database"
        case store = "the object store"

        /// What goes by it.
        var use: String {
            switch self {
            case .service: "tokens are dated by it, and requests to the object store signed"
            case .database: "days, expiry and links to photos go by it"
            case .store: "it decides when links to photos end, and refuses requests that are 15 minutes off"
            }
        }
    }

    var findings: [Finding] {
        let clocks: [(Clock, ClockReading)] =
            [(.service, .ours)]
            + [(Clock.database, database), (.store, store)].compactMap { clock, reading in
                reading.map { (clock, $0) }
            }
        guard clocks.count > 1 else { return [.skipped("clocks", "there is none to compare with")] }
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
        // With three clocks, the one that both others differ from is the wrong one.
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
                    + (pauses ? ": nothing is deleted and no photo is taken until they agree" : ""),
                remedy: Self.remedy(suspect, isCertain: wrong != nil))
        }
    }

    private static func remedy(_ suspect: Clock, isCertain: Bool) -> String {
        let who = isCertain ? "Mend the clock of \(suspect.rawValue)" : "Mend the one that is wrong"
        return "\(who) by NTP (`timedatectl set-ntp true`, or chrony): \(suspect.use)."
    }
}
