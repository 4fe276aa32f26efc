import DaylyTesting
import FeatureKit
import Foundation
import Groups
import Postgres
import Testing

@testable import DaylyServer

/// Each job gets two rows that are due. PostgreSQL refuses every change of the first in the job's order.
@Suite("A row that always fails")
struct FailingRowTests {
    /// Somebody whose rows are due, in a group of their own.
    struct Owner: Sendable {
        let id: UserID
        let group: UUID
        /// 1 for the first, 2 for the second.
        let place: Int

        /// An id that comes in the order of the owners.
        var row: String { "00000000-0000-7000-8000-00000000000\(place)" }
        /// How long before the second owner's row this one was due.
        var earlier: Duration { .minutes(2 - place) }
        var code: String { "ABC23\(place + 3)" }
        var number: String { "+1415555010\(place)" }
        var bytes: [UInt8] { [UInt8(place)] }
    }

    struct Trial: Sendable, CustomTestStringConvertible {
        let job: String
        /// The table and the change that is refused.
        let table: String
        let event: String
        /// The column that names the owner, and the owner as it names them.
        let column: String
        let name: @Sendable (Owner) -> String
        let rows: @Sendable (Owner) -> [SQL]
        /// Finds something while the job has not done the owner's row.
        let due: @Sendable (Owner) -> SQL

        var testDescription: String { "\(job): \(event) \(table)" }

        init(
            _ job: String, _ event: String, _ table: String, by column: String = "user_id",
            name: @escaping @Sendable (Owner) -> String = { $0.id.rawValue.uuidString },
            rows: @escaping @Sendable (Owner) -> [SQL], due: (@Sendable (Owner) -> SQL)? = nil
        ) {
            (self.job, self.table, self.event, self.column, self.name) = (job, table, event, column, name)
            self.rows = rows
            self.due =
                due ?? { owner in
                    "SELECT FROM \(identifier: table) WHERE \(identifier: column)::text = lower(\(name(owner)))"
                }
        }
    }

    /// Jobs in which no row of anybody can fail: they read, compare clocks or write one row of the service.
    private static let withoutRows: Set<String> = ["audit", "clocks", "companion_beat", "outbox_backlog"]

    /// Guard: every job is tried with rows that fail (`FailingRowTests.withoutRows`)
    @Test("there is a trial for every job")
    func complete() async throws {
        try await WholeService.run { service in
            let jobs: Set<String> = Set(service.composition.jobs.map(\.name))
            #expect(jobs == Set(Self.trials.map(\.job)).union(Self.withoutRows))
        }
    }

    /// Guard: a row that fails alone is put off, and keeps no other waiting (`RowBatches.takeEach`,
    /// `PutOffRows`)
    /// Guard: a statement in batches skips a row that fails alone (`PostgresClient.executeInBatches`)
    /// Guard: a part of a job that fails keeps no other from its work (`Parts`)
    /// Guard: a week closes without a row that fails alone (`FocusClose.skip`)
    /// Guard: a photo whose row cannot be deleted or recorded keeps no other (`ForgettingStore.deletePhotos`,
    /// `PhotoExpiryEvents.recordEach`)
    /// Guard: days of a user that fail keep no other's streaks (`FocusPurge.forgetStreaks`)
    @Test("a row that fails keeps no other from being done", arguments: trials)
    func trial(_ trial: Trial) async throws {
        try await WholeService.run { service in
            let owners = try await Self.owners(service)
            for owner in owners {
                for statement in trial.rows(owner) { try await service.postgres.execute(statement) }
            }
            try await Self.refuse(trial, of: owners[0], service.postgres)
            for owner in owners {
                #expect(try await service.postgres.first(trial.due(owner)) != nil, "nothing is due")
            }
            let job = try #require(service.composition.jobs.first { $0.name == trial.job })
            // It reports the failure in the run in which it meets it.
            await #expect(throws: (any Error).self) { try await job.runOnce() }
            #expect(try await service.postgres.first(trial.due(owners[0])) != nil, "nothing was refused")
            #expect(try await service.postgres.first(trial.due(owners[1])) == nil, "it waits for the other")
        }
    }

    /// Guard: a row that fails alone is put off, and keeps no other waiting (`RowBatches.takeEach`,
    /// `PutOffRows`)
    @Test("more accounts than one batch holds that fail at the head are passed, a few with each run")
    func many() async throws {
        try await WholeService.run { service in
            let count = 45
            var last: UserID?
            for place in 0...count {
                let person = try await service.person()
                last = person.id
                try await service.joinCompanion(person.id)
                for statement in Self.ended(person.id, .hours(2) - .seconds(place)) {
                    try await service.postgres.execute(statement)
                }
            }
            let good = try #require(last)
            try await service.postgres.execute(Self.refusal)
            try await service.postgres.execute(
                SQL(
                    unchecked: """
                        CREATE TRIGGER refuse BEFORE INSERT ON companion_days FOR EACH ROW
                        WHEN (NEW.user_id <> '\(good.rawValue)') EXECUTE FUNCTION refuse()
                        """))
            let job = try #require(service.composition.jobs.first { $0.name == "companion_roll" })
            for _ in 1...3 { try? await job.runOnce() }
            let due: SQL = "SELECT user_id FROM companion_settings WHERE ends_at <= now()"
            let left: [UserID] = try await service.postgres.query(due).map { try $0.get("user_id") }
            #expect(left.count == count && !left.contains(good))
        }
    }

    // MARK: - The database

    private static let refusal: SQL = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'this row fails'; END $$
        """

    private static func refuse(_ trial: Trial, of owner: Owner, _ postgres: PostgresClient) async throws {
        try await postgres.execute(refusal)
        let row = trial.event == "INSERT" ? "NEW" : "OLD"
        try await postgres.execute(
            SQL(
                unchecked: """
                    CREATE TRIGGER a_refusal BEFORE \(trial.event) ON \(trial.table) FOR EACH ROW
                    WHEN (\(row).\(trial.column)::text = lower('\(trial.name(owner))')) EXECUTE FUNCTION refuse()
                    """))
    }

    private static func owners(_ service: WholeService) async throws -> [Owner] {
        var owners: [Owner] = []
        for place in 1...2 {
            let person = try await service.person()
            let group = UUID.version7()
            try await service.group("Breakfast", id: GroupID(group), of: [person.id])
            try await service.joinFocus(person.id)
            try await service.joinCompanion(person.id)
            owners.append(Owner(id: person.id, group: group, place: place))
        }
        return owners
    }
}
