import Foundation
import Jobs
import KeyDerivation
import Logging
import Messaging
import ObjectStorage
import Postgres
import RateLimiting

/// The technology that features stand on. The composition root builds it once and gives it to every feature.
package struct Platform: Sendable {
    /// The pool of requests.
    package let database: PostgresClient
    /// The pool of background work, so that a backlog takes no connection that a request could have.
    package let jobDatabase: PostgresClient
    package let objects: any ObjectStore
    package let secrets: ServiceSecrets
    package let rates: RateLimits
    package let sms: SMSQueue
    /// One process does a job that has a lease for all processes.
    package let leases: JobLeaseStore
    /// Background work that does something lasting by the time of the database runs within `clocks.whileAgreed`, and its
    /// transactions require an agreed time.
    package let clocks: ClockWatch
    /// PostgreSQL's time.
    package let now: @Sendable () async throws -> Date
    package let logger: Logger

    package init(
        database: PostgresClient, jobDatabase: PostgresClient, objects: any ObjectStore,
        secrets: ServiceSecrets,
        rates: RateLimits, sms: SMSQueue, clocks: ClockWatch,
        now: @escaping @Sendable () async throws -> Date,
        logger: Logger
    ) {
        self.database = database
        self.jobDatabase = jobDatabase
        self.objects = objects
        self.secrets = secrets
        self.rates = rates
        self.sms = sms
        self.clocks = clocks
        self.now = now
        self.logger = logger
        leases = JobLeaseStore(postgres: jobDatabase)
        for postgres in [database, jobDatabase] { postgres.configuration.timeAgreement.set(clocks) }
    }
}
