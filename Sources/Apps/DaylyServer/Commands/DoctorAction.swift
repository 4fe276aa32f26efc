import Foundation
import Logging
import Postgres
import Settings

/// `dayly doctor`: examines everything the service needs and names a remedy for each fault. It changes nothing except for
/// a probe object in the bucket, which it deletes again.
package struct DoctorAction: Sendable {
    private let environment: [String: String]
    private let files: [String]
    private let logger: Logger

    package init(environment: [String: String], files: [String], logger: Logger) {
        self.environment = environment
        self.files = files
        self.logger = logger
    }

    package func examine() async -> [Finding] {
        let configuration: ServerConfiguration
        var findings: [Finding] = []
        do {
            let values = try SettingValues.read(environment: environment, files: files)
            findings += values.unknown.map {
                .problem("configuration", $0.message, remedy: "Correct the name, or remove it.")
            }
            configuration = try ServerConfiguration(values: values)
        } catch let problems as ConfigurationProblems {
            return findings + problems.problems.map(Self.finding)
                + [.skipped("everything else", "the configuration must be correct first")]
        } catch let error as ConfigurationFileError {
            return findings + [
                .problem(
                    "configuration", "the file \(error.path) cannot be read: \(error.reason)",
                    remedy: error.remedy)
            ]
        } catch {
            return findings + [
                .problem("configuration", FailureText.of(error), remedy: "Correct the configuration.")
            ]
        }
        findings.append(
            .ok("configuration", "complete, for \(configuration.environment.rawValue)"))
        findings += await FileChecks(configuration: configuration, files: files).findings()
        findings += CapacityChecks(configuration: configuration).findings()
        let web = configuration.web
        findings +=
            LinkChecks(
                environment: configuration.environment, links: configuration.links,
                hasWebClient: web.isEnabled && !web.$path.isMissing
            ).findings()
        findings += WebChecks(configuration: configuration).findings()
        findings += ReviewerChecks(configuration: configuration, now: Date()).findings()
        let database = await DatabaseChecks(configuration: configuration, logger: logger).run()
        let storage = await StorageChecks(configuration: configuration, logger: logger).run()
        findings += database.findings
        findings += await RightsChecks(configuration: configuration, logger: logger).findings()
        findings += storage.findings
        // Without a database or a bucket the question has no answer, and their own findings say why.
        let isAnswerable = !(database.findings + storage.findings).contains { $0.verdict == .problem }
        findings +=
            isAnswerable
            ? await RestoreChecks(configuration: configuration, logger: logger).findings()
            : [.skipped("restore guard", "database and bucket must be in order first")]
        findings += ClockChecks(database: database.clock, store: storage.clock).findings
        findings += await GatewayChecks(configuration: configuration).findings()
        findings += await PushChecks(push: configuration.push, logger: logger).findings()
        findings += await PushFaultChecks(configuration: configuration, logger: logger).findings()
        findings += await WorkerChecks(configuration: configuration, logger: logger).findings()
        return findings
    }

    private static func finding(_ problem: ConfigurationProblem) -> Finding {
        .problem(
            "configuration", "\(problem.key) (\(problem.variable)) \(problem.complaint)",
            remedy: problem.remedy)
    }
}

/// The findings about one part of the service, and the reading of its clock.
struct Examination: Sendable {
    var findings: [Finding]
    var clock: ClockReading?
}
