import Crypto
import Foundation

/// One file of `migrations/`.
package struct Migration: Sendable, Equatable {
    /// The file's name without `.sql`, e.g. `0001_base`.
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// The generated picture of the schema, which lies beside the migrations and is never run.
    private static let picture = "schema.sql"

    /// All `NNNN_name.sql` files of a folder, in order, without the generated `schema.sql`.
    ///
    /// - Throws: `MigrationError.misnamed` for any other `.sql` file, `.missing` when the folder has no migration.
    package static func load(from directory: URL) throws -> [Migration] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        let names = (files ?? []).filter { $0.hasSuffix(".sql") && $0 != picture }.sorted()
        guard !names.isEmpty else { throw MigrationError.missing(directory.path) }
        let migrations = try names.map { file in
            let text = try String(contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
            return Migration(name: String(file.dropLast(4)), sql: text)
        }
        try validate(migrations)
        return migrations
    }

    static func validate(_ migrations: [Migration]) throws(MigrationError) {
        var names: [Int: String] = [:]
        for migration in migrations {
            guard let version = migration.version else { throw .misnamed(migration.name) }
            if let other = names.updateValue(migration.name, forKey: version) {
                throw .sameVersion(other, migration.name)
            }
        }
    }

    /// The four digits at the start of the name; nil when the name has another form.
    var version: Int? {
        guard name.wholeMatch(of: /[0-9]{4}_[a-z0-9_]+/) != nil else { return nil }
        return Int(name.prefix(4))
    }

    /// SHA-256 in hexadecimal.
    var checksum: String { Self.hash(sql) }

    /// One checksum of all migrations in their order: equal checksums mean equal schemas.
    package static func checksum(of migrations: [Migration]) -> String {
        hash(migrations.map { "\($0.name) \($0.checksum)" }.joined(separator: "\n"))
    }

    private static func hash(_ text: String) -> String {
        String(Bytea.text(Array(SHA256.hash(data: Data(text.utf8)))).dropFirst(2))
    }

    /// Whether an older program, which does not know this migration, must not run on the database: marked by a line
    /// `-- dayly: breaking` among the comments at the top of the file.
    var isBreaking: Bool {
        sql.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix { $0.isWhitespace } }
            .prefix { $0.isEmpty || $0.hasPrefix("--") }
            .contains { $0.dropFirst(2).split(separator: " ").elementsEqual(["dayly:", "breaking"]) }
    }
}

/// The database's schema compared with the migrations that this program knows. The strings are names of migrations.
package enum MigrationStatus: Sendable, Equatable {
    case current
    /// These are not applied yet.
    case behind([String])
    /// A newer program has migrated the database, and this program can work with the result.
    case aheadCompatible
    /// A newer program has migrated the database with these breaking migrations: this program must not run on it.
    case aheadBreaking([String])
    /// These were applied with other content or under another name than they have now.
    case changed([String])

    struct Applied: Equatable {
        let version: Int
        let name: String
        let checksum: String
        let isBreaking: Bool
    }

    /// Several cases may hold; the worst one counts: changed, then ahead and breaking, then behind, then ahead.
    init(known: [Migration], applied: [Applied]) {
        let byVersion = Dictionary(uniqueKeysWithValues: applied.map { ($0.version, $0) })
        let changed = known.filter { migration in
            guard let version = migration.version, let row = byVersion[version] else { return false }
            return row.checksum != migration.checksum || row.name != migration.name
        }
        let knownVersions = Set(known.compactMap(\.version))
        let unknown = applied.filter { !knownVersions.contains($0.version) }
        let pending = known.filter { $0.version.map { byVersion[$0] == nil } ?? true }
        if !changed.isEmpty {
            self = .changed(changed.map(\.name))
        } else if unknown.contains(where: \.isBreaking) {
            self = .aheadBreaking(unknown.filter(\.isBreaking).map(\.name))
        } else if !pending.isEmpty {
            self = .behind(pending.map(\.name))
        } else {
            self = unknown.isEmpty ? .current : .aheadCompatible
        }
    }
}

package enum MigrationError: Error, Equatable {
    /// This folder holds no migrations.
    case missing(String)
    /// This file is not named `NNNN_name.sql` in lower case.
    case misnamed(String)
    case sameVersion(String, String)
    /// These were applied with other content than now: restore the files, or the database that belongs to them.
    case changed([String])
    case aheadBreaking([String])
    /// This one has a lower number than an applied migration: give it a new number.
    case outOfOrder(String)
    case failed(String, PostgresError)
    /// The file ends its transaction itself (COMMIT, ROLLBACK), so a part of it may have been applied.
    case leftTransaction(String)
}
