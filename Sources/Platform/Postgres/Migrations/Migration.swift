import Crypto
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

    /// The generated picture of the schema, which lies beside the migrations and is never run.
    private static let picture = "schema.sql"

    /// Every `NNNN_name.sql` of a folder, in order. The generated `schema.sql` is passed over.
    ///
    /// - Throws: `MigrationError.misnamed` for any other `.sql` file, `.missing` if the folder holds no migration.
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

    /// The four digits that the name begins with.
    var version: Int? {
        guard name.wholeMatch(of: /[0-9]{4}_[a-z0-9_]+/) != nil else { return nil }
        return Int(name.prefix(4))
    }

    /// SHA-256 in hexadecimal.
    var checksum: String { Self.hash(sql) }

    /// One for all, in their order: the same where the schema is the same.
    package static func checksum(of migrations: [Migration]) -> String {
        hash(migrations.map { "\($0.name) \($0.checksum)" }.joined(separator: "\n"))
    }

    private static func hash(_ text: String) -> String {
        String(Bytea.text(Array(SHA256.hash(data: Data(text.utf8)))).dropFirst(2))
    }

    /// Whether a program that does not know this migration must not run on it: a line `-- dayly: breaking` among
    /// the comments at the file's top.
    var isBreaking: Bool {
        sql.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix { $0.isWhitespace } }
            .prefix { $0.isEmpty || $0.hasPrefix("--") }
            .contains { $0.dropFirst(2).split(separator: " ").elementsEqual(["dayly:", "breaking"]) }
    }
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
    /// These were applied with another content, or under another name, than they have now.
    case changed([String])

    struct Applied: Equatable {
        let version: Int
        let name: String
        let checksum: String
        let isBreaking: Bool
    }

    /// The worst of what holds: changed, then ahead and breaking, then behind, then ahead.
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
    /// No migrations in this folder.
    case missing(String)
    /// Not `NNNN_name`, in lower case.
    case misnamed(String)
    case sameVersion(String, String)
    /// Applied with another content than now: mend the file, or restore the database that goes with it.
    case changed([String])
    case aheadBreaking([String])
    /// Numbered below what is applied already: number it anew.
    case outOfOrder(String)
    case failed(String, PostgresError)
    /// The file ends its transaction by itself (COMMIT, ROLLBACK): what it did before may stand.
    case leftTransaction(String)
}
