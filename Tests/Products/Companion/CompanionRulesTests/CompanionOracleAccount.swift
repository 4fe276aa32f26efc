import CompanionRules
import DeviceIntake

/// The days of an account of the oracle, which gives what PostgreSQL would compute: midnights and local clocks.
struct OracleAccount {
    private let user: String
    private var replay = CompanionReplay()
    private var running: RunningDay?
    private var limit: DailyLimit?
    private var schedule: ShieldSchedule?
    private var wanted: [[Int]] = []
    private var wantedDays = 0
    private(set) var found: [[Int]] = []
    private(set) var differences: [String] = []

    init(user: String) { self.user = user }

    mutating func take(kind: Int, _ line: [Int]) {
        switch kind {
        case 2: replay.awards = AwardRules(energyMax: line[0], gamma: Double(line[1]) / 1_000)
        case 10: begin(line)
        case 11: changeZone(line)
        case 12: setLimit(line[0])
        case 13: replay.cooldown = line[0]
        case 14: bypass(line)
        case 15: setSchedule(line)
        case 16: _ = replay.reshield(line[0], at: line[1], now: line[2])
        case 17: replay.open(at: line[0], now: line[1])
        case 18: report(line)
        case 19: replay.settle(now: line[0])
        case 20: compareDay(line)
        case 21: wanted.append(line)
        default: compareDiary()
        }
    }

    private mutating func begin(_ line: [Int]) {
        let running = RunningDay(day: line[0], beganAt: line[1], isFirst: line[2] == 1)
        if limit == nil { limit = DailyLimit(line[3]) } else { limit?.beginNextDay() }
        compare("limit of day \(line[0])", limit?.today, line[3])
        let end = running.end(among: Self.midnights(line[5...])) ?? 0
        compare("end of day \(line[0])", end, line[4])
        // The summaries that were due before this day are written first.
        replay.settle(now: line[1])
        replay.days.append(
            DayFigures(
                day: line[0], times: DayTimes(beginsAt: line[1], endsAt: end), limitMinutes: limit?.today ?? 0
            ))
        replay.measure()
        self.running = running
    }

    private mutating func changeZone(_ line: [Int]) {
        replay.settle(now: line[0])
        guard let running, let last = replay.days.indices.last else { return }
        let end = running.end(among: Self.midnights(line[2...]), zoneChangedAt: line[0]) ?? 0
        compare("end of day \(running.day) after the change of zone", end, line[1])
        replay.days[last].times = DayTimes(beginsAt: running.beganAt, endsAt: end)
        replay.measure()
    }

    private static func midnights(_ numbers: ArraySlice<Int>) -> [Midnight] {
        stride(from: numbers.startIndex, to: numbers.endIndex, by: 2).map {
            Midnight(date: numbers[$0], at: numbers[$0 + 1])
        }
    }

    private mutating func setLimit(_ minutes: Int) {
        limit?.set(minutes)
        if let last = replay.days.indices.last, let limit { replay.days[last].limitMinutes = limit.today }
    }

    private mutating func setSchedule(_ line: [Int]) {
        let weekdays = Set((1...7).filter { line[2] & 1 << $0 != 0 })
        schedule = weekdays.isEmpty ? nil : ShieldSchedule(from: line[0], to: line[1], weekdays: weekdays)
    }

    private static let outcomes = [
        "accepted", "locked", "window_open", "not_shielded", "unknown_day", "too_old",
    ]

    private mutating func bypass(_ line: [Int]) {
        let outcome = replay.bypass(
            line[0], at: line[1], now: line[2],
            isShielded: schedule?.isUp(weekday: line[3], minute: line[4]) ?? true)
        compare("bypass \(line)", outcome, Self.outcomes[line[5]])
    }

    private mutating func report(_ line: [Int]) {
        let outcome = replay.usage(line[0], minutes: line[1], isFinal: line[2] == 1, now: line[3])
        compare("report \(line)", outcome, Self.outcomes[line[4]])
    }

    private mutating func compareDay(_ line: [Int]) {
        let day = replay.days[wantedDays]
        wantedDays += 1
        compare(
            "day",
            [
                day.day, day.hp, day.bypasses, day.band.drops, day.openSeconds, day.firstUseAt ?? -1,
                day.lastUseAt ?? -1, day.usedMinutes, day.limitMinutes, replay.energy[day.day] ?? -1,
            ], line)
    }

    private mutating func compareDiary() {
        compare("days", replay.days.count, wantedDays)
        for entry in replay.diary {
            let draw = DiaryChoice.draw(user: user, day: entry.figures.day, kind: entry.kind)
            let pool = DiaryPool.allCases.firstIndex(of: entry.pool) ?? -1
            let lately = found.filter { $0[3] == pool }.suffix(DiaryChoice.remembered).map { $0[5] }
            let number = DiaryChoice.number(eligible: Self.eligible(entry), lately: lately, draw: draw)
            found.append([
                entry.figures.day, Self.code(entry.kind), entry.at, pool, entry.figures.hp, number ?? -1,
            ])
        }
        compare("diary", found, wanted)
    }

    /// The texts of the oracle's pools need one figure or none.
    private static func eligible(_ entry: CompanionReplay.Entry) -> [Int] {
        let figures = DiaryFigures(
            entry.figures, kind: entry.kind, atMinute: 0,
            firstUseMinute: entry.figures.firstUseAt.map { _ in 0 },
            lastUseMinute: 0)
        let needs: [Int: DiaryPlaceholder] = [1: .firstUseTime, 2: .overByHours, 3: .underByHours]
        let hasForty = [DiaryPool.terminal, .good, .mixed].contains(entry.pool)
        return (0..<(hasForty ? 40 : 20)).filter { number in
            needs[number % 4].map { figures.text(of: $0) != nil } ?? true
        }
    }

    private static func code(_ kind: DiaryKind) -> Int {
        switch kind {
        case .welcome: 0
        case .terminal: 1
        case .nightly: 2
        case .band(let band): 10 + band.rawValue
        }
    }

    private mutating func compare<Value: Equatable>(_ name: String, _ found: Value, _ wanted: Value) {
        if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
    }
}
