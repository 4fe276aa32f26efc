import Faults
import Testing

/// The real programs between proxies that fail. A few cells at a time: each has processes of its own. The random run
/// waits for no place, because scripts/test gives it a process of its own.
@Suite("Faults")
struct FaultTests {
    private static let lanes = Gate(places: 7)

    // The limit counts the time that a cell waits for its place, too.
    @Test(
        "every rule holds, whatever fails or is killed at whichever step", .timeLimit(.minutes(25)),
        arguments: Cell.brief)
    func holds(_ cell: Cell) async throws {
        let outcome = try await Self.lanes.pass {
            let began = ContinuousClock.now
            defer { print("\(cell) took \((ContinuousClock.now - began).components.seconds) s") }
            return try await cell.run()
        }
        for finding in outcome.findings { Issue.record("\(cell): \(finding)") }
    }

    /// Guard: one message per reader, group and day (`NotificationStore.key`)
    @Test("every rule holds over 1,000 uploads, 40 kills and other failures", .timeLimit(.minutes(25)))
    func random() async throws {
        let seed = UInt64.random(in: 1...9_999_999)
        let (uploads, kills) = (1_000, 40)
        print(
            "scripts/faults --cell random --seed \(seed) --uploads \(uploads) --kills \(kills) has the same plan"
        )
        let report = try await RandomRun(RandomPlan(seed: seed, uploads: uploads, kills: kills)).run()
        print("seed \(seed): \(report.summary)")
        #expect(report.kills == kills)
        for finding in report.findings { Issue.record("seed \(seed): \(finding)") }
    }

    /// Guard: an account's changes run one after the other (`CompanionOwnerStore.lock`)
    @Test(
        "every balance equals its ledger over 2,000 operations and 5 kills", .timeLimit(.minutes(25)))
    func companion() async throws {
        let plan = CompanionPlan(seed: UInt64.random(in: 1...9_999_999))
        let choice = "--operations \(plan.operations) --kills \(plan.kills)"
        print("scripts/faults --cell companion-random --seed \(plan.seed) \(choice) has the same plan")
        let report = try await Self.lanes.pass { try await CompanionRun(plan).run() }
        print("seed \(plan.seed): \(report.summary)")
        #expect(report.kills == plan.kills)
        for finding in report.findings { Issue.record("seed \(plan.seed): \(finding)") }
    }
}
