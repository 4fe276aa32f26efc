import CompanionRules
import DeviceIntake

/// An account whose events go through the rules as the service hands them on, with arrays for its tables.
struct CompanionReplay {
    struct Entry: Hashable {
        /// The figures of its day when it was written.
        let figures: DayFigures
        let kind: DiaryKind
        let at: Instant
        let pool: DiaryPool
    }

    var days: [DayFigures]
    var cooldown: Int
    private(set) var diary: [Entry] = []
    private var windows: [Int: [BypassWindow]] = [:]
    private var settled = 0
    private(set) var ratios: [DayNumber: UseRatio] = [:]
    private(set) var energy: [DayNumber: Int] = [:]
    private(set) var closedCount = 0
    var awards = AwardRules()

    init(days: [DayFigures] = [], cooldown: Int = BypassWindow.defaultCooldown) {
        self.days = days
        self.cooldown = cooldown
    }

    /// Writes the summaries that are due by themselves.
    mutating func settle(now: Instant) {
        while settled < days.count, days[settled].times.summaryAloneAt <= now {
            // An event that arrives later writes no summary, unless it is an `open`.
            if days[settled].hasEvents, !days[settled].hasSummary {
                write(.nightly, settled, at: days[settled].times.summaryAloneAt)
            }
            settled += 1
        }
    }

    mutating func bypass(_ device: Int, at time: Instant, now: Instant, isShielded: Bool = true) -> String {
        settle(now: now)
        let index = index(of: time, now)
        let refusal = BypassRules.refusal(
            of: time, hp: days[index].hp, lastWindow: windows[device]?.last, isShielded: isShielded)
        if let refusal { return refusal.rawValue }
        let kind = days[index].takeBypass(at: time)
        let window = BypassRules.window(openedBy: time, hp: days[index].hp, cooldownMinutes: cooldown)
        windows[device, default: []] += window.map { [$0] } ?? []
        measure()
        if let kind { write(kind, index, at: time) }
        return "accepted"
    }

    mutating func reshield(_ device: Int, at time: Instant, now: Instant) -> String {
        settle(now: now)
        days[index(of: time, now)].hasEvents = true
        if var window = windows[device]?.popLast() {
            _ = window.reshield(at: time)
            windows[device]?.append(window)
            measure()
        }
        return "accepted"
    }

    mutating func open(at time: Instant, now: Instant) {
        settle(now: now)
        let index = index(of: time, now)
        days[index].hasEvents = true
        let texts = textsWritten(
            byOpenAt: time, on: days[index], dayBefore: index == 0 ? nil : days[index - 1])
        for text in texts {
            write(text.kind, text.day == days[index].day ? index : index - 1, at: time)
        }
    }

    mutating func usage(_ day: DayNumber, minutes: Int, isFinal: Bool, now: Instant) -> String {
        settle(now: now)
        let begun = days.firstIndex { $0.day == day && $0.times.beginsAt <= now }
        let reason = refusal(ofReportAbout: begun.map { days[$0].times }, receivedAt: now)
        if let reason { return reason.rawValue }
        guard let index = begun else { return "" }
        let effect = ReportEffect(
            day: day, times: days[index].times, isFinal: isFinal, receivedAt: now)
        while closedCount < index, days[closedCount].day < effect.closesBefore { close(now) }
        if closedCount <= index { days[index].takeReport(minutes: minutes) }
        days[index].hasEvents = true
        if effect.closesOwnDay, closedCount == index { close(now) }
        return "accepted"
    }

    func openUntil(now: Instant) -> Instant? { windows.values.joined().openUntil(now: now) }

    private func index(of time: Instant, _ now: Instant) -> Int {
        let instant = instantOfDay(happenedAt: time, receivedAt: now)
        return days.lastIndex { $0.times.beginsAt <= instant } ?? 0
    }

    private mutating func write(_ kind: DiaryKind, _ index: Int, at time: Instant) {
        if kind == .welcome { days[index].hasWelcome = true }
        if kind.isSummary { days[index].hasSummary = true }
        let figures = days[index]
        diary.append(Entry(figures: figures, kind: kind, at: time, pool: kind.pool(of: figures)))
    }

    mutating func measure() {
        for index in days.indices {
            let times = days[index].times
            days[index].openSeconds = windows.values.joined().reduce(0) { $0 + $1.seconds(within: times) }
        }
    }

    private mutating func close(_ now: Instant) {
        let day = days[closedCount]
        let ratio = UseRatio(
            reportedMinutes: day.reportedMinutes, limitMinutes: day.limitMinutes,
            endedAt: day.times.endsAt, closedAt: now)
        let before = closedCount == 0 ? nil : ratios[days[closedCount - 1].day] ?? .unreported
        energy[day.day] = awards.award(for: ratio, dayBefore: before)
        ratios[day.day] = ratio
        closedCount += 1
    }
}
