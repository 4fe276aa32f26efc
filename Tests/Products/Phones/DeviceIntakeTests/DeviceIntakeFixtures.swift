import CivilTime
import DeviceIntake
import Testing

/// An instant like `2026-03-02T09:00:00Z`; a time alone is one of 2026-03-02.
func instant(_ text: String) -> Instant {
    let full = text.contains("T") ? text : "2026-03-02T\(text)Z"
    let numbers = full.split { "-T:Z".contains($0) }.compactMap { Int($0) }
    let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    return date.daysSince1970 * secondsPerDay + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
}
