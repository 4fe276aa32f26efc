import DaylyTesting
import Foundation
import Logging
import Postgres
import Synchronization
import Testing

@testable import Jobs

@Suite("Leases of periodic jobs")
struct JobLeaseTests {
    private func expire(_ postgres: PostgresClient) async throws {
        try await postgres.execute("UPDATE job_leases SET held_until = now()")
    }

    /// Guard: one process holds a job's lease, until its end or release (`JobLeaseStore.claim`)
    @Test("one process has the lease and renews it; another one takes it over after its end or its release")
    func takesOver() async throws {
        try await withDatabase { postgres in
            let first = JobLeaseStore(postgres: postgres)
            let second = JobLeaseStore(postgres: postgres)
            #expect(try await first.claim("sweep", for: .seconds(60)))
            #expect(try await !second.claim("sweep", for: .seconds(60)))
            #expect(try await second.claim("audit", for: .seconds(60)))
            #expect(try await first.claim("sweep", for: .seconds(60)))
            try await second.release("sweep")
            #expect(try await !second.claim("sweep", for: .seconds(60)))
            try await expire(postgres)
            #expect(try await second.claim("sweep", for: .seconds(60)))
            #expect(try await !first.claim("sweep", for: .seconds(60)))
            try await second.release("sweep")
            #expect(try await first.claim("sweep", for: .seconds(60)))
        }
    }

    /// Guard: a lease that lasts longer than it can is free (`JobLeaseStore.claim`)
    @Test("a lease that a clock that was ahead has given is free when the clock is right")
    func future() async throws {
        try await withTimeMachine { database, clock in
            let right = clock.now
            let first = JobLeaseStore(postgres: database.client)
            let second = JobLeaseStore(postgres: database.client)
            try await clock.advance(by: .days(9))
            #expect(try await first.claim("sweep", for: .seconds(60)))
            try await clock.set(to: right)
            #expect(try await second.claim("sweep", for: .seconds(60)))
            #expect(try await !first.claim("sweep", for: .seconds(60)))
        }
    }

    @Test("of twenty processes that ask at once one gets the lease")
    func race() async throws {
        try await withDatabase { postgres in
            let held = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 1...20 {
                    group.addTask {
                        try await JobLeaseStore(postgres: postgres).claim("sweep", for: .seconds(60))
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(held == 1)
        }
    }

    /// Guard: one process holds a job's lease, until its end or release (`JobLeaseStore.claim`)
    @Test("of two processes one does the job, run after run, and the other one once the first is gone")
    func oneDoesIt() async throws {
        try await withDatabase { postgres in
            let runs = Mutex([0, 0])
            let jobs = [0, 1].map { index in
                PeriodicJob(
                    name: "sweep", interval: .seconds(3_600), leases: JobLeaseStore(postgres: postgres),
                    logger: .silent
                ) {
                    runs.withLock { $0[index] += 1 }
                }
            }
            for _ in 1...3 {
                #expect(try await jobs[0].runAsHolder())
                #expect(try await !jobs[1].runAsHolder())
            }
            #expect(runs.withLock { $0 } == [3, 0])
            // The lease outlives the pause to the next run.
            let seconds = try await postgres.first(
                "SELECT extract(epoch FROM held_until - now())::float8 AS left FROM job_leases")
            #expect(try #require(seconds).get("left", as: Double.self) > 3_600)
            try await expire(postgres)
            #expect(try await jobs[1].runAsHolder())
            #expect(try await !jobs[0].runAsHolder())
            #expect(runs.withLock { $0 } == [3, 1])
        }
    }

    /// Guard: a run ends once another process has taken its lease (`PeriodicJob.renew`)
    @Test("a long run renews its lease, and ends once another process has taken it")
    func renews() async throws {
        try await withDatabase { postgres in
            let rival = JobLeaseStore(postgres: postgres)
            let job = PeriodicJob(
                name: "sweep", interval: .seconds(3_600), leases: JobLeaseStore(postgres: postgres),
                logger: .silent
            ) {
                try await expire(postgres)
                // Until it was renewed.
                try await eventually(every: .milliseconds(1)) {
                    try await postgres.first("SELECT 1 AS one FROM job_leases WHERE held_until > now()")
                        != nil
                }
                try await postgres.execute("UPDATE job_leases SET holder = \(rival.holder)")
                try await Task.sleep(for: .seconds(5))
            }
            await #expect(throws: JobLeaseLost.self) {
                try await job.runAsHolder(renewal: .milliseconds(5))
            }
        }
    }
}
