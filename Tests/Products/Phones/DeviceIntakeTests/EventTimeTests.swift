import DeviceIntake
import Testing

@Suite("The time of a phone's event")
struct EventTimeTests {
    static let receivedAt = instant("12:00:00")
    static let limits = IntakeLimits(maxAge: 604_800, eventsPerDay: 2_000)

    struct Example: CustomTestStringConvertible, Sendable {
        let at: String
        let client: String
        var uptime: Int?
        var syncUptime: Int?
        var previous: String?
        let result: IntakeOutcome

        init(
            _ at: String, _ client: String, _ uptime: Int?, _ syncUptime: Int?, _ previous: String?,
            _ result: String
        ) {
            (self.at, self.client, self.uptime) = (at, client, uptime)
            (self.syncUptime, self.previous) = (syncUptime, previous)
            switch result {
            case "bad_clock": self.result = .rejected(.badClock)
            case "too_old": self.result = .rejected(.tooOld)
            default: self.result = .timed(instant(result))
            }
        }

        var testDescription: String { "at \(at), client_time \(client)" }
    }

    /// Guard: an event of a wrong clock is corrected by the arrival or the uptime, a future one is cut, an
    /// old one rejected (`SyncTime.time`)
    /// Guard: time never runs back within a device (`EventIntake.take`)
    @Test(
        "T1: corrected times",
        arguments: [
            Example("11:50:00", "12:00:20", nil, nil, nil, "11:50:00"),
            Example("14:50:00", "15:00:00", nil, nil, nil, "11:50:00"),
            Example("11:50:00", "12:01:01", nil, nil, nil, "11:48:59"),
            Example("11:50:00", "12:01:00", nil, nil, nil, "11:50:00"),
            Example("12:00:45", "12:00:00", nil, nil, nil, "12:00:45"),
            Example("12:01:00", "12:00:00", nil, nil, nil, "12:01:00"),
            Example("12:02:00", "12:00:00", nil, nil, nil, "12:00:00"),
            Example("03:00:00", "03:10:00", 4_400, 5_000, nil, "11:50:00"),
            Example("11:50:00", "12:00:00", 5_001, 5_000, nil, "bad_clock"),
            Example("11:50:00", "12:00:00", nil, nil, "11:55:00", "11:55:00"),
            Example("2026-02-23T12:00:00Z", "12:00:00", nil, nil, nil, "2026-02-23T12:00:00Z"),
            Example("2026-02-23T11:59:59Z", "12:00:00", nil, nil, nil, "too_old"),
        ])
    func examples(_ example: Example) {
        func uptime(_ seconds: Int?) -> Uptime? { seconds.map { Uptime(bootID: "b", seconds: $0) } }
        let sync = SyncTime(
            receivedAt: Self.receivedAt, clientTime: instant(example.client),
            uptime: uptime(example.syncUptime))
        var intake = EventIntake(lastTime: example.previous.map(instant))
        let reported = ReportedTime(at: instant(example.at), uptime: uptime(example.uptime))
        let result = intake.take(seq: 1, reported: reported, sync: sync, limits: Self.limits)
        #expect(result == example.result)
    }

    /// Guard: an event of a wrong clock is corrected by the arrival or the uptime, a future one is cut, an
    /// old one rejected (`SyncTime.time`)
    @Test("uptimes of different starts of the phone are not compared")
    func ignoresOtherBoots() {
        let sync = SyncTime(
            receivedAt: Self.receivedAt, clientTime: Self.receivedAt, uptime: Uptime(bootID: "b", seconds: 10)
        )
        let reported = ReportedTime(at: instant("11:50:00"), uptime: Uptime(bootID: "a", seconds: 90_000))
        #expect(sync.time(of: reported, maxAge: 604_800) == .success(instant("11:50:00")))
    }

    @Test("an old event is rejected even if the device's last event is younger")
    func rejectsBeforeItRaises() {
        var intake = EventIntake(lastTime: instant("11:55:00"))
        let sync = SyncTime(receivedAt: Self.receivedAt, clientTime: Self.receivedAt)
        let reported = ReportedTime(at: Self.receivedAt - 604_801)
        let result = intake.take(seq: 1, reported: reported, sync: sync, limits: Self.limits)
        #expect(result == .rejected(.tooOld))
    }
}
