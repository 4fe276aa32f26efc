import Foundation

/// The service's time, by which photos expire. A device's clock may be wrong by hours, or be set back on purpose.
struct ServiceTime: Sendable {
    /// A moment of the service's clock, and the same moment of the device's steady clock.
    private var anchor: (date: Date, monotonic: Duration)
    /// Whether the anchor came from an answer, and not from the device.
    private(set) var isKnown = false

    /// - Parameter floor: a moment that has passed for certain, such as the last change of a file.
    init(_ clock: any ClientClock, floor: Date) {
        anchor = (max(clock.now, floor), clock.monotonic)
    }

    /// The time; of two doubtful ones the later, so that no photo stays for too long.
    func now(_ clock: any ClientClock) -> Date {
        let steady = anchor.date.addingTimeInterval((clock.monotonic - anchor.monotonic).inSeconds)
        return isKnown ? steady : max(steady, clock.now)
    }

    /// Learns the time from the `Date` of an answer.
    ///
    /// - Parameter began: when the request was sent. A body may take minutes, and the time must not lag by them.
    mutating func observe(_ headers: TransportHeaders, since began: Duration) {
        guard let date = headers["Date"].flatMap(HTTPDate.parse) else { return }
        anchor = (date, began)
        isKnown = true
    }
}

/// The form of HTTP's dates (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func parse(_ text: String) -> Date? {
        let parts = text.split { " ,:".contains($0) }
        guard parts.count == 8, parts[7] == "GMT", let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let numbers = [parts[3], parts[1], parts[4], parts[5], parts[6]].compactMap { Int($0) }
        guard numbers.count == 5 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: numbers[0], month: month + 1, day: numbers[1], hour: numbers[2], minute: numbers[3],
                second: numbers[4]))
    }
}
