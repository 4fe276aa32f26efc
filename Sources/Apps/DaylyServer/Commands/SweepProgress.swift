import DailyPhotos

/// The progress line of a sweep: objects deleted and left, the rate, and an estimate of the time left.
package struct SweepProgress: Sendable {
    private let began: ContinuousClock.Instant

    package init(began: ContinuousClock.Instant = .now) {
        self.began = began
    }

    package func line(_ report: SweepReport, now: ContinuousClock.Instant = .now) -> String {
        let seconds = (now - began) / .seconds(1)
        let left = max(0, report.backlog?.dueObjects ?? 0)
        var parts = [
            "\(Self.grouped(report.deletedObjects)) objects deleted", "\(Self.grouped(left)) to go",
        ]
        // Over a shorter time the rate means little.
        if seconds >= 0.5, report.deletedObjects > 0 {
            let rate = Double(report.deletedObjects) / seconds
            parts.append("\(Self.grouped(Int(rate.rounded())))/s")
            if left > 0 { parts.append("\(Self.time(Double(left) / rate)) left") }
        }
        if report.failedObjects > 0 {
            parts.append("\(Self.grouped(report.failedObjects)) kept by the store")
        }
        return parts.joined(separator: ", ")
    }

    /// The backlog in words: how late sweeping is, and the age of the oldest object.
    package static func state(_ backlog: Backlog) -> String {
        let lag =
            backlog.dueObjects == 0
            ? "Nothing is due" : "The oldest has been due for \(time(backlog.lagSeconds))"
        guard backlog.oldestObjectSeconds > 0 else { return "\(lag); there are no objects." }
        return "\(lag); the oldest object was written \(time(backlog.oldestObjectSeconds)) ago."
    }

    /// `1234567` as `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return String(
            digits.enumerated().flatMap { index, digit -> [Character] in
                index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
            })
    }

    /// `90` as `1 min 30 s`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(max(1, seconds.rounded(.up)))
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        default: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }
}
