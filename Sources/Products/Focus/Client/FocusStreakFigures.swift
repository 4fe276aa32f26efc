import FocusRules

/// Figures that a phone computes by itself, because they change while a screen shows them.
public enum FocusStreakFigures {
    /// The points of a streak, also of the one that runs: those that it would have if it ended now.
    public static func points(ofSeconds seconds: Int) -> Double {
        Double(streakPoints(seconds: seconds)) / 100
    }

    /// A duration as the English texts of temptations name it: `2h 5m`, or `45 minutes`.
    public static func text(ofSeconds seconds: Int) -> String {
        let minutes = max(seconds, 0) / 60
        return minutes < 60 ? "\(minutes) minutes" : "\(minutes / 60)h \(minutes % 60)m"
    }
}
