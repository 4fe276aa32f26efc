import Foundation
import Postgres

/// Decides which of all processes does a job: the one that holds the job's lease.
///
/// A lease saves work and nothing else. A process that stalls may still be at work when another one takes over, so the
/// work itself must stand being done twice.
package struct JobLeaseStore: Sendable {
    let postgres: PostgresClient
    /// This process.
    let holder: UUID

    package init(postgres: PostgresClient, holder: UUID = UUID()) {
        self.postgres = postgres
        self.holder = holder
    }

    /// Takes the lease of a job, or renews it where this process has it.
    ///
    /// - Parameter duration: the time after which another process may take the job, unless it is renewed.
    /// - Returns: false while another process has it.
    package func claim(_ name: String, for duration: Duration) async throws -> Bool {
        try await postgres.execute(
            """
            INSERT INTO job_leases AS lease (name, holder, held_until)
            VALUES (\(name), \(holder), now() + \(duration))
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
            WHERE lease.holder = excluded.holder OR lease.held_until <= now()
            """) > 0
    }

    /// Lets another process take the job at once. Has no effect where another one has it already.
    package func release(_ name: String) async throws {
        try await postgres.execute(
            "UPDATE job_leases SET held_until = now() WHERE name = \(name) AND holder = \(holder)")
    }
}

/// Another process took over a job that this one was at.
struct JobLeaseLost: Error {
    let job: String
}
