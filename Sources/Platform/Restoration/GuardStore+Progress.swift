import Foundation
import Postgres

/// SQL about the positions of a restore's walks.
extension GuardStore {
    func progress(_ run: String, _ part: String) async throws -> (last: UUID, changed: Int)? {
        let row = try await postgres.first(
            "SELECT last, changed FROM restore_progress WHERE run = \(run) AND part = \(part)")
        return try row.map { (try $0.get("last"), try $0.get("changed")) }
    }

    func note(_ run: String, _ part: String, last: UUID, changed: Int) async throws {
        try await postgres.execute(
            """
            INSERT INTO restore_progress (run, part, last, changed) VALUES (\(run), \(part), \(last), \(changed))
            ON CONFLICT (run, part) DO UPDATE SET last = excluded.last, changed = excluded.changed
            """)
    }

    func finish(endedAllBy time: Date?) async throws {
        let payload = time.map { Array(String(Int($0.timeIntervalSince1970.rounded(.up))).utf8) }
        try await postgres.transaction { tx in
            if let payload {
                try tx.execute(
                    "INSERT INTO erasures (kind, payload) VALUES (\(ErasureKind.allEnded.rawValue), \(payload))"
                )
            }
            try tx.execute("DELETE FROM restore_progress")
        }
    }
}
