import Foundation
import Hummingbird
import Testing

@testable import HTTPKit

/// Guard: one user has four requests at a time, and a few that wait (`CallerTable.enter`)
@Suite("The limits of one user")
struct CallerLimitTests {
    private let ada = UUID()
    private let bob = UUID()
    private let start = ContinuousClock.now

    private func settings(_ change: (inout CallerLimits.Settings) -> Void = { _ in }) -> CallerLimits.Settings
    {
        var settings = CallerLimits.Settings()
        settings.maxRunning = 2
        settings.maxWaiting = 2
        change(&settings)
        return settings
    }

    private func enter(
        _ table: inout CallerTable, _ request: UInt64, _ user: UUID, isWrite: Bool = false,
        after: Duration = .zero
    ) -> CallerTable.Entry {
        table.enter(request, of: user, isWrite: isWrite, maxWaiting: 2, now: start + after)
    }

    @Test(
        "a user has places to run and to wait in order, the next request is refused, and other users are not affected"
    )
    func places() {
        var table = CallerTable(settings: settings())
        #expect((1...2).map { enter(&table, $0, ada) } == [.runs, .runs])
        #expect((3...4).map { enter(&table, $0, ada) } == [.waits, .waits])
        #expect(enter(&table, 5, ada) == .tooManyRequests)
        #expect(enter(&table, 6, bob) == .runs)
        #expect(table.leave(ada) == 3)
        #expect(enter(&table, 7, ada) == .waits)
        table.giveUp(4, of: ada)
        #expect(!table.isWaiting(4, of: ada) && table.isWaiting(7, of: ada))
        #expect(table.leave(ada) == 7)
        #expect(table.leave(ada) == nil)
        #expect(table.running(of: ada) == 1)
        #expect(table.leave(ada) == nil)
        #expect(table.leave(bob) == nil)
        #expect(table.count == 0)
    }

    /// Guard: one user has ten writes a second (`CallerTable.enter`)
    @Test("a user has a burst of writes and then ten a second; reads are not counted")
    func writes() {
        var table = CallerTable(settings: settings { ($0.maxRunning, $0.writeBurst) = (1_000, 3) })
        #expect((1...3).map { enter(&table, $0, ada, isWrite: true) } == [.runs, .runs, .runs])
        #expect(enter(&table, 4, ada, isWrite: true) == .tooManyWrites(freeIn: .milliseconds(100)))
        #expect(enter(&table, 5, ada) == .runs)
        #expect(enter(&table, 6, bob, isWrite: true) == .runs)
        #expect(enter(&table, 7, ada, isWrite: true, after: .milliseconds(125)) == .runs)
        #expect(
            enter(&table, 8, ada, isWrite: true, after: .milliseconds(125))
                == .tooManyWrites(freeIn: .milliseconds(75)))
        let later = (9...12).map { enter(&table, $0, ada, isWrite: true, after: .seconds(60)) }
        #expect(later.prefix(3) == [.runs, .runs, .runs] && later[3] != .runs)
    }

    @Test("without enforced rates writes are not counted, but places are")
    func unenforced() {
        var table = CallerTable(settings: settings { ($0.countsWrites, $0.writeBurst) = (false, 1) })
        let entries = (1...5).map { enter(&table, $0, ada, isWrite: true) }
        #expect(entries == [.runs, .runs, .waits, .waits, .tooManyRequests])
    }

    /// Guard: the table of callers is bounded and admits callers beyond it (`CallerTable.newCaller`)
    @Test("the table is bounded, removes idle users, and lets a request pass that it cannot count")
    func bounded() {
        var table = CallerTable(settings: settings { $0.maxCallers = 2 })
        for user in [ada, bob] {
            #expect(enter(&table, 1, user, isWrite: true) == .runs)
            #expect(table.leave(user) == nil)
        }
        // Both users wrote, so the table keeps both for a while.
        #expect(table.count == 2)
        #expect(enter(&table, 2, UUID()) == .uncounted)
        #expect(enter(&table, 3, UUID(), after: .seconds(6)) == .runs)
        #expect(table.count == 1)
    }

    @Test("a waiting request gets the place that is given back")
    func turns() async throws {
        let limits = CallerLimits(settings: settings { $0.maxWaiting = 50 })
        var passes = [
            try await limits.enter(ada, isWrite: false), try await limits.enter(ada, isWrite: false),
        ]
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let pass = try await limits.enter(self.ada, isWrite: false)
                    defer { pass.release() }
                    await Task.yield()
                    return limits.running(of: self.ada)
                }
            }
            passes.removeAll()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(done.count == 50 && done.allSatisfy { $0 <= 2 })
        #expect(limits.running(of: ada) == 0)
    }

    @Test("a request that waits too long or is cancelled is refused and holds no place")
    func patience() async throws {
        let limits = CallerLimits(settings: settings { $0.patience = .milliseconds(20) })
        let passes = [
            try await limits.enter(ada, isWrite: false), try await limits.enter(ada, isWrite: false),
        ]
        let refusal = await #expect(throws: Problem.self) { _ = try await limits.enter(ada, isWrite: false) }
        #expect(refusal?.status == .tooManyRequests && refusal?.headers[.retryAfter] == "1")
        let gone = Task { try await limits.enter(ada, isWrite: false) }
        gone.cancel()
        await #expect(throws: Problem.self) { _ = try await gone.value }
        for pass in passes {
            pass.release()
            pass.release()
        }
        #expect(limits.running(of: ada) == 0)
        _ = try await limits.enter(ada, isWrite: false)
    }

    @Test("a refused write says the limit and when the next write is free")
    func fields() async throws {
        let limits = CallerLimits(settings: settings { $0.writeBurst = 1 })
        try await limits.enter(ada, isWrite: true).release()
        let refusal = await #expect(throws: Problem.self) { _ = try await limits.enter(ada, isWrite: true) }
        #expect(refusal?.code == .rateLimited)
        #expect(refusal?.headers[.rateLimit] == #""writes";r=0;t=1"#)
    }
}
