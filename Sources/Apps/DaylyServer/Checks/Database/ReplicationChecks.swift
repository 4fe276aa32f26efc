import Postgres

/// Whether a failover would keep every acknowledged change. Several hosts in `database.url` mean that there may be one.
///
/// A promoted standby that lacks the last commits lacks the last step of the journal, too: then every process ends, and the
/// next start repeats erasures. So replication must be synchronous.
struct ReplicationChecks: Sendable {
    let configuration: ServerConfiguration

    func findings(_ client: PostgresClient) async throws -> [Finding] {
        let named = [configuration.database.url, configuration.database.directURL].compactMap { $0 }
            .map { DatabaseHosts(url: $0) }.filter { $0.count > 1 }
        guard !named.isEmpty else { return [] }
        let found =
            Self.findings(named) + Self.findings(try await ReplicationStore(client: client).read())
        // A developer may choose speed over durability.
        guard configuration.environment == .development else { return found }
        return found.map { finding in
            guard finding.verdict == .problem else { return finding }
            return .warning(finding.check, finding.message, remedy: finding.remedy)
        }
    }

    static func findings(_ hosts: [DatabaseHosts]) -> [Finding] {
        hosts.filter { !$0.findsPrimary }.map { hosts in
            .problem(
                "replication",
                "the URL names \(hosts.count) hosts with target_session_attrs=\(hosts.sessionAttributes ?? "")",
                remedy:
                    "Remove target_session_attrs from it, or set it to read-write: other servers take no writes."
            )
        }
    }

    static func findings(_ replication: Replication) -> [Finding] {
        if replication.synchronousNames.isEmpty {
            return [
                .problem(
                    "replication",
                    "is not synchronous: after a failover acknowledged photos and deletions are missing",
                    remedy:
                        "Set synchronous_mode: true in Patroni, or synchronous_standby_names = 'ANY 1 (*)'.")
            ]
        }
        if replication.commit == "local" {
            return [
                .problem(
                    "replication", "synchronous_commit is local, so commits wait for no standby",
                    remedy: "Set synchronous_commit = on for the database, the role and the server.")
            ]
        }
        guard replication.isVisible else {
            return [
                .warning(
                    "replication", "is synchronous, but the role may not see the state of the standbys",
                    remedy: "As a superuser: GRANT pg_read_all_stats TO the role in database.url.")
            ]
        }
        guard replication.synchronous > 0 else {
            return [
                .problem(
                    "replication",
                    "no standby is in sync (\(replication.streaming) streaming): commits wait for one",
                    remedy: "Start the standbys. pg_stat_replication and their logs say what they lack.")
            ]
        }
        return [
            .ok(
                "replication",
                "synchronous, to \(replication.synchronous) of \(replication.streaming) standbys")
        ]
    }
}
