import Foundation
import Logging
import Postgres

/// A primary and its streaming standby, each a server of its own. Commits wait for the standby.
package struct PostgresPair: Sendable {
    package struct Failure: Error {
        let script: String
    }

    /// The URLs of the two, and the one that names both.
    package let primaryURL, standbyURL, url: String
    private let primary, standby: URL

    /// Runs `body` with a pair of its own, and removes it.
    package static func run(_ body: (PostgresPair) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let (primary, standby) = (
                folder.appendingPathComponent("one"), folder.appendingPathComponent("two")
            )
            do {
                let pair = try await PostgresPair(primary, standby)
                try await pair.waitForStandby()
                try await body(pair)
            } catch {
                try await stop([primary, standby])
                throw error
            }
            try await stop([primary, standby])
        }
    }

    private init(_ primary: URL, _ standby: URL) async throws {
        (self.primary, self.standby) = (primary, standby)
        let urls = try await Self.shell(
            """
            postgres_start "$DIR" --no-fsync; postgres_standby "$STANDBY" "$DIR" --no-fsync
            postgres_url "$DIR"; postgres_url "$STANDBY"
            """, primary, ["STANDBY": standby.path]
        ).split(separator: "\n").map(String.init)
        (primaryURL, standbyURL) = (urls[0], urls[1])
        let ports = urls.compactMap { URLComponents(string: $0)?.port }
        url = urls[0].replacing("127.0.0.1:\(ports[0])", with: "127.0.0.1:\(ports[0]),127.0.0.1:\(ports[1])")
    }

    /// kill -9 of the primary's first process, whose children then end by themselves.
    package func killPrimary() async throws {
        _ = try await Self.shell("kill -9 $(head -n 1 \"$DIR/data/postmaster.pid\")", primary)
    }

    package func promoteStandby() async throws {
        _ = try await Self.shell("postgres_promote \"$DIR\"", standby)
    }

    private func waitForStandby() async throws {
        let admin = DatabaseServer.client(url: primaryURL)
        _ = try await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try await admin.query("SELECT pg_reload_conf()")
        try await eventually("a standby in sync") {
            try await admin.first("SELECT 1 AS one FROM pg_stat_replication WHERE sync_state = 'sync'") != nil
        }
        await admin.close()
    }

    private static func stop(_ folders: [URL]) async throws {
        for folder in folders { _ = try await shell("postgres_stop \"$DIR\"", folder) }
    }

    private static func shell(
        _ script: String, _ folder: URL, _ environment: [String: String] = [:]
    ) async throws -> String {
        let outcome = try await Shell.run(
            ". scripts/lib/postgres.sh; \(script)",
            environment: environment.merging(["DIR": folder.path]) { $1 })
        guard outcome.status == 0 else { throw Failure(script: script) }
        return outcome.output
    }
}
