import CommandKit
import Logging
import Restoration

/// Whether database and bucket belong together, as a start of the service asks, and whether the database is used with this
/// `auth.secret`.
struct RestoreChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func findings() async -> [Finding] {
        do {
            return try await examine()
        } catch let failure as CommandFailure {
            return [.problem("restore guard", failure)]
        } catch {
            return [
                .problem(
                    "restore guard", FailureText.of(error), remedy: "Mend the database and the bucket first.")
            ]
        }
    }

    private func examine() async throws -> [Finding] {
        let secret = Secrets.existing(configuration)
        // The guard compares names only, so it needs no secret here.
        let secrets = Secrets.optional(configuration)
        let store = try Gateways.objectStore(configuration, secrets: secrets, logger: logger)
        return try await finally({ await store.shutdown() }) {
            try await configuration.withDatabase(logger: logger) { database in
                let restoreGuard = RestoreGuard(
                    postgres: database, objects: store, secret: secrets.secret,
                    settings: configuration.restore, logger: logger)
                var found: [Finding] = []
                if let secret {
                    found.append(try await SecretCheck(client: database, secret: secret).finding())
                }
                do {
                    found.append(Self.finding(try await restoreGuard.examine()))
                } catch {
                    throw CommandFailure.restoring(error)
                }
                return found
            }
        }
    }

    private static func finding(_ verdict: RestoreVerdict) -> Finding {
        let check = "restore guard"
        return switch verdict {
        case .current: .ok(check, "database and bucket belong together")
        case .fresh: .ok(check, "database and bucket are new, and the first start brings them together")
        case .wentBack(let gap): .problem(check, CommandFailure.wentBack(gap))
        case .journalMissing: .problem(check, CommandFailure.journalMissing)
        case .otherDatabase: .problem(check, CommandFailure.otherDatabase)
        }
    }
}
