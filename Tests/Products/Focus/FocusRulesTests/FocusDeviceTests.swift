import FocusRules
import Testing

@Suite("Set-up and health of devices")
struct FocusDeviceTests {
    private static let noon = instant("2026-03-02T12:00:00Z")

    /// Guard: only an unlock in the window verifies, only once, and not a day later
    /// (`DeviceSetUp.takeUnlock`)
    @Test(
        "V1: the unlocks that verify a device, with a window from 12:00:00",
        arguments: [
            (.shortcut, 0, 1, true), (.verification, 120, 121, true), (.shortcut, 121, 122, false),
            (.shortcut, -1, 5, false), (.manual, 60, 61, false), (.shortcut, 60, 86_400, true),
            (.shortcut, 60, 86_401, false),
        ] as [(UnlockSource, Int, Int, Bool)])
    func verification(source: UnlockSource, at: Int, arrival: Int, verifies: Bool) {
        var setUp = DeviceSetUp()
        setUp.openWindow(at: Self.noon)
        let found = setUp.takeUnlock(source, at: Self.noon + at, receivedAt: Self.noon + arrival)
        #expect(found == verifies)
        #expect((setUp.stage(at: Self.noon + arrival) == .verified) == verifies)
    }

    /// Guard: only an unlock in the window verifies, only once, and not a day later
    /// (`DeviceSetUp.takeUnlock`)
    @Test("a window without an unlock fails after its end, and a late unlock still verifies, once")
    func failsBySilence() {
        var setUp = DeviceSetUp()
        setUp.openWindow(at: Self.noon)
        #expect(setUp.stage(at: Self.noon + 120) == .awaitingVerification)
        #expect(setUp.stage(at: Self.noon + 121) == .failed)
        #expect(setUp.failure(at: Self.noon + 121) == .noEventReceived)
        let first = setUp.takeUnlock(.shortcut, at: Self.noon + 100, receivedAt: Self.noon + 900)
        #expect(first)
        #expect(setUp.stage(at: Self.noon + 900) == .verified)
        #expect(setUp.failure(at: Self.noon + 900) == nil)
        let second = setUp.takeUnlock(.shortcut, at: Self.noon + 110, receivedAt: Self.noon + 901)
        #expect(!second)
    }

    @Test("a new window, a new beginning and a reported failure end the window")
    func endsWindows() {
        for end in [
            { $0.begin() }, { $0.fail(.automationNotCreated) }, { $0.openWindow(at: Self.noon + 50) },
        ] as [(inout DeviceSetUp) -> Void] {
            var setUp = DeviceSetUp()
            setUp.openWindow(at: Self.noon)
            end(&setUp)
            let verifies = setUp.takeUnlock(.shortcut, at: Self.noon + 49, receivedAt: Self.noon + 60)
            #expect(!verifies)
        }
    }

    @Test("a device goes through the stages of its set-up")
    func stages() {
        var setUp = DeviceSetUp()
        #expect(setUp.stage(at: 0) == .notStarted)
        setUp.begin()
        #expect(setUp.stage(at: 0) == .inProgress)
        setUp.fail(.unknown)
        #expect(setUp.stage(at: 0) == .failed)
        #expect(setUp.failure(at: 0) == .unknown)
        setUp.verify()
        #expect(setUp.stage(at: 0) == .verified)
        #expect(setUp.failure(at: 0) == nil)
    }

    /// Guard: a device is broken after a day of silence, and stays so until an unlock
    /// (`DeviceHealth.afterSync`)
    @Test(
        "H1: health at a sync",
        arguments: [
            (false, 10, .neverVerified),
            (true, nil, DeviceHealth(status: .broken, issue: .noRecentUnlocks)),
            (true, 86_400, .verified),
            (true, 86_401, DeviceHealth(status: .broken, issue: .noRecentUnlocks, issueHours: 24)),
            (true, 90_000, DeviceHealth(status: .broken, issue: .noRecentUnlocks, issueHours: 25)),
        ] as [(Bool, Int?, DeviceHealth)])
    func health(wasVerified: Bool, seconds: Int?, wanted: DeviceHealth) {
        let health = (wasVerified ? DeviceHealth.verified : .neverVerified).afterSync(
            wasVerified: wasVerified, lastUnlockAt: seconds.map { Self.noon - $0 },
            broughtUnlock: seconds != nil, now: Self.noon)
        #expect(health == wanted)
    }

    /// Guard: a device is broken after a day of silence, and stays so until an unlock
    /// (`DeviceHealth.afterSync`)
    @Test("a reported issue lasts until a sync brings an unlock; a warning changes no status")
    func keepsReports() {
        let broken = DeviceHealth.verified.reported(.noRecentUnlocks, isBroken: true)
        #expect(broken == DeviceHealth(status: .broken, issue: .noRecentUnlocks))
        let warned = DeviceHealth.verified.reported(.appOpenWithoutRecentUnlock, isBroken: false)
        #expect(warned == DeviceHealth(status: .verified, issue: .appOpenWithoutRecentUnlock))
        for health in [broken, warned] {
            for broughtUnlock in [false, true] {
                let after = health.afterSync(
                    wasVerified: true, lastUnlockAt: Self.noon - 60, broughtUnlock: broughtUnlock,
                    now: Self.noon)
                #expect(after == (broughtUnlock ? .verified : health))
            }
        }
        #expect(DeviceHealth.neverVerified.reported(.noRecentUnlocks, isBroken: true) == .neverVerified)
    }

    @Test("a broken device breaks its user's status, and a verified one covers those that are pending")
    func tracking() {
        #expect(trackingStatus(of: []) == .pending)
        #expect(trackingStatus(of: [.pending, .verified]) == .verified)
        #expect(trackingStatus(of: [.verified, .broken, .pending]) == .broken)
    }
}
