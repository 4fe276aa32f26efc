import Foundation

/// One file of `migrations/`.
package struct Migration: Sendable, Equatable {
    /// The file's name without `.sql`, e.g. `0001_accounts`.
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Every `NNNN_name.sql` of a folder, in order.
    package static func load(from directory: URL) throws -> [Migration] { [] }
}

/// How the database stands to the migrations this program knows. Names are migrations'.
package enum MigrationStatus: Sendable, Equatable {
    case current
    /// These are not applied yet.
    case behind([String])
    /// A newer program has migrated the database, in a way this one can work with.
    case aheadCompatible
    /// A newer program has migrated the database in a way this one must not run on.
    case aheadBreaking([String])
    /// These were applied with another content than they have now.
    case changed([String])
}

/// Brings a database's schema forward.
package struct Migrator: Sendable {
    let client: PostgresClient
    let migrations: [Migration]

    package init(client: PostgresClient, migrations: [Migration]) {
        self.client = client
        self.migrations = migrations
    }

    /// - Returns: the names of what was applied now.
    @discardableResult
    package func migrate() async throws -> [String] { [] }

    package func status() async throws -> MigrationStatus { .current }
}
