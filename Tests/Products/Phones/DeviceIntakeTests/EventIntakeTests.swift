import DeviceIntake
import Testing

@Suite("The intake of a device's events")
struct EventIntakeTests {
    private func sync(_ text: String) -> SyncTime {
        SyncTime(receivedAt: instant(text), clientTime: instant(text))
    }

    private func take(
        _ seq: Int, at: String, _ intake: inout EventIntake, perDay: Int? = 2_000, now: String = "12:00:00"
    ) -> IntakeOutcome {
        intake.take(
            seq: seq, reported: ReportedTime(at: instant(at)), sync: sync(now),
            limits: IntakeLimits(maxAge: 604_800, eventsPerDay: perDay))
    }

    /// Guard: an event comes once; a rejected one is acknowledged and moves no time (`EventIntake.take`,
    /// `EventIntake.accept`)
    @Test("an event comes once, and a gap in the numbers is accepted")
    func ignoresDuplicates() {
        var intake = EventIntake()
        #expect(take(3, at: "11:00:00", &intake) == .timed(instant("11:00:00")))
        #expect(take(3, at: "11:10:00", &intake) == .duplicate)
        #expect(take(2, at: "11:10:00", &intake) == .duplicate)
        #expect(take(9, at: "11:20:00", &intake) == .timed(instant("11:20:00")))
        #expect(intake.acknowledged == 9)
    }

    /// Guard: an event comes once; a rejected one is acknowledged and moves no time (`EventIntake.take`,
    /// `EventIntake.accept`)
    @Test("a rejected event is acknowledged, and does not move the time of later ones")
    func acknowledgesRejected() {
        var intake = EventIntake()
        #expect(take(1, at: "2026-02-01T00:00:00Z", &intake) == .rejected(.tooOld))
        #expect(intake.acknowledged == 1)
        #expect(intake.lastTime == nil)
        // The product refuses this one for a reason of its own, so it does not accept it.
        #expect(take(2, at: "11:50:00", &intake) == .timed(instant("11:50:00")))
        #expect(take(3, at: "11:40:00", &intake) == .timed(instant("11:40:00")))
        intake.accept(at: instant("11:40:00"))
        #expect(take(4, at: "11:30:00", &intake) == .timed(instant("11:40:00")))
    }

    /// Guard: new events of a UTC day are counted (`EventIntake.take`)
    @Test("a device sends only so many new events on a UTC day; repeated ones do not count")
    func limitsTheDay() {
        var intake = EventIntake()
        for seq in 1...3 {
            #expect(take(seq, at: "11:00:00", &intake, perDay: 3) == .timed(instant("11:00:00")))
            #expect(take(seq, at: "11:00:00", &intake, perDay: 3) == .duplicate)
        }
        #expect(take(4, at: "2020-01-01T00:00:00Z", &intake, perDay: 3) == .rejected(.tooMany))
        #expect(take(5, at: "11:00:00", &intake, perDay: 3, now: "23:59:59") == .rejected(.tooMany))
        let next = "2026-03-03T00:00:00Z"
        #expect(take(6, at: next, &intake, perDay: 3, now: next) == .timed(instant(next)))
        #expect(intake.countOfDay == 1)
    }

    @Test("without a limit any number of events is accepted")
    func canBeUnlimited() {
        var intake = EventIntake(countedDay: utcDay(of: instant("12:00:00")), countOfDay: 1_000_000)
        #expect(take(1, at: "11:00:00", &intake, perDay: nil) == .timed(instant("11:00:00")))
    }
}
