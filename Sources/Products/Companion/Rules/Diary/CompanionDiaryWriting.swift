/// A text that is to be written now.
package struct DueText: Hashable, Sendable {
    package let day: DayNumber
    package let kind: DiaryKind

    package init(day: DayNumber, kind: DiaryKind) {
        self.day = day
        self.kind = kind
    }
}

/// The texts that an accepted `open` writes, in order.
///
/// The texts of bypasses come from ``DayFigures/takeBypass(at:)``.
/// - Parameters:
///   - time: that of the `open`, which is also `at` of the texts.
///   - day: the day of the `open`.
///   - dayBefore: the account's day that ended when `day` began; nil on the first day.
package func textsWritten(byOpenAt time: Instant, on day: DayFigures, dayBefore: DayFigures?) -> [DueText] {
    var texts: [DueText] = []
    if let dayBefore, dayBefore.hasEvents, dayBefore.lacksSummary(at: time) {
        texts.append(DueText(day: dayBefore.day, kind: .nightly))
    }
    if !day.hasWelcome { texts.append(DueText(day: day.day, kind: .welcome)) }
    if day.lacksSummary(at: time) { texts.append(DueText(day: day.day, kind: .nightly)) }
    return texts
}

extension DayFigures {
    fileprivate func lacksSummary(at time: Instant) -> Bool {
        !hasSummary && times.summaryTime.contains(time)
    }
}
