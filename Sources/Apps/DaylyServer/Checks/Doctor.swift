import Foundation
import Logging
import Postgres

/// Looks at everything the service needs and says what is wrong and what mends it. Changes nothing but a probe
/// object that it deletes again.
package struct Doctor: Sendable {
    private let environment: [String: String]
    private let file: String?
    private let logger: Logger

    package init(environment: [String: String], file: String?, logger: Logger) {
        self.environment = environment
        self.file = file
        self.logger = logger
    }

    package func examine() async -> [Finding] {
        let configuration: ServerConfiguration
        var findings: [Finding] = []
        do {
            let values = try await SettingValues.read(environment: environment, file: file)
            findings += values.unknown.map {
                .problem("configuration", $0.message, remedy: "Correct the name, or take it out.")
            }
            configuration = try ServerConfiguration(values: values)
        } catch let problems as ConfigurationProblems {
            return findings + problems.problems.map(Self.finding)
                + [.skipped("everything else", "the configuration comes first")]
        } catch {
            return findings + [
                .problem(
                    "configuration", "\(error)", remedy: "Give a readable YAML or JSON file to --config.")
            ]
        }
        findings.append(
            .ok("configuration", "complete, for \(configuration.environment.rawValue)"))
        findings += await FileChecks(configuration: configuration).findings()
        findings += CapacityChecks(configuration: configuration).findings()
        findings += ReviewerChecks(configuration: configuration, now: Date()).findings()
        let database = await DatabaseChecks(configuration: configuration, logger: logger).run()
        let storage = await StorageChecks(configuration: configuration, logger: logger).run()
        findings += database.findings + storage.findings
        findings += ClockChecks(database: database.clock, store: storage.clock).findings
        findings += await GatewayChecks(configuration: configuration).findings()
        findings += await PushChecks(push: configuration.push, logger: logger).findings()
        findings += await WorkerChecks(configuration: configuration, logger: logger).findings()
        return findings
    }

    private static func finding(_ problem: ConfigurationProblem) -> Finding {
        .problem(
            "configuration", "\(problem.key) (\(problem.variable)) \(problem.complaint)",
            remedy: problem.remedy)
    }
}

/// What was found of a part of the service, and what its clock says.
struct Examination: Sendable {
    var findings: [Finding]
    var clock: ClockReading?
}

/// The database: reachable, new enough, migrated.
struct DatabaseChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func run() async -> Examination {
        let client = Connections.database(configuration, maxConnections: 1, logger: logger)
        var findings: [Finding] = []
        var clock: ClockReading?
        do {
            let gate = try SchemaGate(client: client, migrationsPath: configuration.database.migrationsPath)
            findings.append(version(try await gate.serverVersion()))
            findings.append(migrations(try await gate.status()))
            clock = try await ClockReading.take(resolution: 0) {
                try await client.first("SELECT now() AS now")?.get("now", as: Date.self)
            }
        } catch {
            findings.append(
                .problem(
                    "database", "cannot be used: \(String(describing: error))",
                    remedy: "See that PostgreSQL runs and that database.url (DAYLY_DATABASE_URL) names it."))
        }
        await client.close()
        return Examination(findings: findings, clock: clock)
    }

    private func version(_ number: Int) -> Finding {
        let version = "\(number / 10_000).\(number % 10_000)"
        return number >= SchemaGate.oldestServerVersion
            ? .ok("database", "reachable, PostgreSQL \(version)")
            : .problem("database", "is PostgreSQL \(version)", remedy: "Dayly needs version 15 or newer.")
    }

    private func migrations(_ status: MigrationStatus) -> Finding {
        if let failure = status.failure {
            return .problem("migrations", failure.reason, remedy: failure.remedy)
        }
        return .ok("migrations", status == .current ? "all applied" : "the database is newer, compatibly")
    }
}
