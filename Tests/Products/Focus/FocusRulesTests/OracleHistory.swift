import DeviceIntake
import FocusRules

/// A history of a user, replayed with the Swift rules as the service would use them.
struct OracleHistory {
    struct Device {
        let isAndroid: Bool
        var intake = EventIntake()
        var setUp = DeviceSetUp()
    }

    let number: Int
    private let counted: Int
    private let limits: IntakeLimits
    private let joined: DayNumber
    private var devices: [DeviceNumber: Device] = [:]
    private var store = StreakStore()
    private var goal: RisingLimit
    private var goalDays: GoalDays
    private var reports = ScreenTimeDays()
    private var minutes: [DayNumber: Int] = [:]
    private var intention: IntentionDays
    private var told = 0
    var frozen: Set<DayNumber> = []

    var wantedStreaks: [[Int]] = []
    var wantedFigures: [[Int]] = []
    var wantedUser: [Int] = []
    private(set) var streaks = 0
    private(set) var differences: [String] = []

    init(_ line: [Int]) {
        (number, counted, joined) = (line[0], line[2], line[4])
        limits = IntakeLimits(maxAge: line[3], eventsPerDay: nil)
        store.hold = line[1]
        goalDays = GoalDays(streak: 0, lives: line[5], livesThrough: joined)
        goal = RisingLimit(line[6] == -1 ? nil : line[6])
        intention = IntentionDays(limit: RisingLimit(line[7]), day: joined)
    }

    mutating func addDevice(_ line: [Int]) {
        devices[line[0]] = Device(isAndroid: line[1] == 0)
    }

    /// 3: verified, 4: a window opens, 5: deleted.
    mutating func change(_ kind: Int, _ line: [Int]) throws {
        let (number, now) = (line[0], line[1])
        switch kind {
        case 3:
            if store.countsFrom[number] == nil {
                store.countsFrom[number] = (devices[number]?.intake.acknowledged ?? 0) + 1
            }
        case 4: devices[number]?.setUp.openWindow(at: now)
        default: try store.delete(number, now: now)
        }
    }

    mutating func setLimit(_ kind: Int, _ line: [Int]) {
        if kind == 6 {
            intention.setLimit(line[1], on: line[0])
        } else {
            goal.set(line[1] == -1 ? nil : line[1], on: line[0])
        }
    }

    mutating func sync(_ line: [Int], _ events: [[Int]]) throws {
        let (number, now) = (line[0], line[1])
        guard var device = devices[number] else { return }
        let time = SyncTime(
            receivedAt: now, clientTime: line[2],
            uptime: line[3] == -1 ? nil : Uptime(bootID: "\(line[3])", seconds: line[4]))
        var accepted: [FocusEvent] = []
        for event in events {
            if let event = take(event, of: number, &device, time) { accepted.append(event) }
        }
        devices[number] = device
        try store.sync(accepted, from: number, now: now)
    }

    /// Judges an event, compares the judgement, and returns the event if it is accepted.
    private mutating func take(
        _ line: [Int], of number: DeviceNumber, _ device: inout Device, _ sync: SyncTime
    ) -> FocusEvent? {
        let reported = ReportedTime(
            at: line[2], uptime: line[3] == -1 ? nil : Uptime(bootID: "\(line[3])", seconds: line[4]))
        var found = [0, 0]
        var result: FocusEvent?
        switch device.intake.take(seq: line[0], reported: reported, sync: sync, limits: limits) {
        case .duplicate: break
        case .rejected(let reason): found = [reason == .tooOld ? 2 : 3, 0]
        case .timed(let at):
            found = [1, at]
            // Days of zones are PostgreSQL's, so the oracle gives them.
            let day = line[10]
            if line[1] == 3, let reason = ScreenTimeDays.rejection(of: line[5], eventDay: day) {
                found[0] = reason == .tooOld ? 2 : 3
                break
            }
            device.intake.accept(at: at)
            result = accept(line, at: at, day: day, of: number, &device, sync)
        }
        let verifies = result.map { $0.content.verifies } ?? false
        if found != Array(line[8...9]) || verifies != (line[11] == 1) {
            differences.append("event \(line) is \(found), verifies \(verifies)")
        }
        return result
    }

    private mutating func accept(
        _ line: [Int], at: Instant, day: DayNumber, of number: DeviceNumber, _ device: inout Device,
        _ sync: SyncTime
    ) -> FocusEvent {
        let content: FocusEvent.Content
        switch line[1] {
        case 0: content = .lock(LockSource.allCases[line[5] / 2])
        case 1:
            let source = UnlockSource.allCases[line[5]]
            let verifies = device.setUp.takeUnlock(source, at: at, receivedAt: sync.receivedAt)
            if verifies, store.countsFrom[number] == nil { store.countsFrom[number] = line[0] }
            content = .unlock(source, verifies: verifies)
        case 2: content = .open(intention: 0)
        default: content = .usage(day: line[5], minutes: line[6], isFinal: line[7] == 1)
        }
        note(content, on: day)
        return FocusEvent(seq: line[0], at: at, day: day, content: content)
    }

    private mutating func note(_ content: FocusEvent.Content, on day: DayNumber) {
        if case .open = content {
            if intention.open(on: day, isFrozen: frozen.contains) != nil { told += 1 }
            return
        }
        intention.reach(day, isFrozen: frozen.contains)
        guard case .usage(let reported, let used, let isFinal) = content else { return }
        let effect = reports.take(reported, isFinal: isFinal, eventDay: day, from: joined)
        judge(effect.closesBefore)
        if effect.counts { minutes[reported] = max(used, minutes[reported] ?? 0) }
        judge(effect.closesAfter)
    }

    private mutating func judge(_ days: Range<DayNumber>) {
        for day in days where day >= joined {
            guard let minutes = minutes[day], let goal = goal.inForce(on: day) else { continue }
            goalDays.judge(day, minutes: minutes, goal: goal)
        }
    }

    mutating func compare() throws {
        let days = try store.days()
        let all = days.flatMap(\.streaks).sorted { $0.ended < $1.ended }
        streaks = all.count
        compare(
            "streaks", all.map { [$0.began, $0.ended, $0.day, $0.isEstimated ? 1 : 0] }, wantedStreaks)
        let figures = days.map { ($0.day, $0.figures(counted: counted)) }.filter { $0.1.streakCount > 0 }
        let weeks = Dictionary(grouping: figures) { monday(of: $0.0) }.sorted { $0.key < $1.key }
        compare(
            "figures",
            figures.map { Self.line(12, $0, $1) }
                + weeks.map { Self.line(13, $0, DayFigures(weekOf: $1.map(\.1))) },
            wantedFigures)
        let today = wantedUser[0]
        compare(
            "user",
            [
                today, goalDays.lives(on: today), goalDays.streak, intention.day, intention.used,
                intention.streak,
                intention.best, told,
            ], wantedUser)
    }

    private static func line(_ kind: Int, _ day: DayNumber, _ figures: DayFigures) -> [Int] {
        [
            kind, day, figures.points, figures.streakCount, figures.longestStreak,
            figures.isEstimated ? 1 : 0,
        ]
    }

    private mutating func compare<Value: Equatable>(_ name: String, _ found: Value, _ wanted: Value) {
        if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
    }
}

extension FocusEvent.Content {
    fileprivate var verifies: Bool {
        if case .unlock(_, verifies: true) = self { return true }
        return false
    }
}
