import Foundation
import Postgres

/// Leases of periodic jobs: of all processes, the one with a job's lease does the job.
///
/// A lease saves work but does not exclude others. A process that stalls may still be working when another one takes over,
/// so two processes must be able to do the job at the same time.
package struct JobLeaseStore: Sendable {
    let postgres: PostgresClient
    /// Identifies this process.
    let holder: UUID

    package init(postgres: PostgresClient, holder: UUID = UUID()) {
        self.postgres = postgres
        self.holder = holder
    }

    /// Takes the lease of a job, or renews it if this process has it.
    ///
    /// - Parameter duration: the time after which another process may take the lease, unless it is renewed.
    /// - Returns: false if another process has the lease.
    package func claim(_ name: String, for duration: Duration) async throws -> Bool {
        try await postgres.execute(
            """
            INSERT INTO job_leases AS lease (name, holder, held_until)
            VALUES (\(name), \(holder), now() + \(duration))
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
            WHERE lease.holder = excluded.holder OR lease.held_until <= now()
                -- A clock that was ahead has given the lease for longer than the job asks.
                OR lease.held_until > now() + \(duration) + interval '10 minutes'
            """) > 0
    }

    /// Releases the lease, so that another process can take it at once. It has no effect if another process has the lease.
    package func release(_ name: String) async throws {
        try await postgres.execute(
            "UPDATE job_leases SET held_until = now() WHERE name = \(name) AND holder = \(holder)")
    }
}

/// Another process has taken the lease of a job that this process was doing.
struct JobLeaseLost: Error {
    let job: String
}
