#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The points of a streak: ten times the natural logarithm of its minutes. The first minutes are worth most, and no whole
/// second lies nearer than 9·10⁻⁷ to a rounding edge, so every platform's `log` gives the same points.
package func streakPoints(seconds: Int) -> Hundredths {
    guard seconds >= Streak.worthlessSeconds else { return 0 }
    return Int(1_000 * log(Double(min(seconds, Streak.maxSeconds)) / 60) + 0.5)
}
