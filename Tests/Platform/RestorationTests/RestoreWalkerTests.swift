import Foundation
import Postgres
import Synchronization
import Testing

@testable import Restoration

/// Guard: a killed restore resumes behind its last page; a slow page is retried with fewer rows
/// (`RestoreWalker`)
@Suite("The pages of a restore")
struct RestoreWalkerTests {
    private struct Killed: Error {}

    private static let ids = (1...1_200).map { number in
        UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))") ?? UUID()
    }

    /// The rows after `after`, each of which counts as changed.
    private static func page(_ after: UUID, _ limit: Int) -> RestoredPage? {
        let rows = ids.filter { $0.uuidString > after.uuidString }.prefix(limit)
        return rows.last.map { ($0, rows.count) }
    }

    @Test("a walk that was interrupted resumes behind its last page, and counts what it had changed")
    func resumes() async throws {
        try await withGuard { world in
            let restoreGuard = world.restoreGuard
            let begun = Mutex<[UUID]>([])
            await #expect(throws: Killed.self) {
                _ = try await RestoreWalker(restoreGuard, restore: "a", report: { _ in }).pages("rows") {
                    after, limit in
                    if begun.withLock({ $0.count }) == 1 { throw Killed() }
                    begun.withLock { $0.append(after) }
                    return Self.page(after, limit)
                }
            }
            let rows = Mutex(0)
            let again = RestoreWalker(restoreGuard, restore: "a") { progress in
                rows.withLock { $0 = progress.rows }
            }
            let changed = try await again.pages("rows") { after, limit in
                begun.withLock { $0.append(after) }
                return Self.page(after, limit)
            }
            #expect(changed == Self.ids.count)
            #expect(begun.withLock { $0[1] } == Self.ids[499])
            #expect(rows.withLock { $0 } > 0)
            // Another restore begins at the beginning.
            #expect(
                try await RestoreWalker(restoreGuard, restore: "b", report: { _ in }).pages("rows", Self.page)
                    == 1_200)
        }
    }

    @Test("a page that takes too long is tried again with fewer rows")
    func shrinks() async throws {
        try await withGuard { world in
            let restoreGuard = world.restoreGuard
            let walker = RestoreWalker(restoreGuard, restore: "a", report: { _ in })
            let changed = try await walker.pages("rows") { after, limit in
                if limit > 100 { throw PostgresError.unavailable(.statementTimeout) }
                return Self.page(after, limit)
            }
            #expect(changed == Self.ids.count)
        }
    }
}
