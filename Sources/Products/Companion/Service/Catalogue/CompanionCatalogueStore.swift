import CompanionRules
import Foundation
import Postgres
import Synchronization

/// The catalogue that is in force, and its version.
struct CatalogueInForce: Sendable, Equatable {
    /// 0: the defaults.
    let version: Int
    let catalogue: Catalogue
}

/// SQL about `companion_catalogs`.
enum CompanionCatalogueStore {
    private struct Read: Sendable {
        let id: UUID
        let inForce: CatalogueInForce
    }

    /// The content of a row never changes once it is in force, so its id stands for it, also among several databases.
    private static let lastRead = Mutex<Read?>(nil)

    /// The catalogue whose prices hold in this transaction. Each call asks which one it is, so that a process never sells at
    /// prices of yesterday; only the reading of the text is saved.
    static func current(_ tx: PostgresTransaction) throws -> CatalogueInForce {
        let newest = try tx.first(
            """
            SELECT id, version FROM companion_catalogs WHERE version IS NOT NULL
            ORDER BY version DESC LIMIT 1
            """)
        guard let newest else { return CatalogueInForce(version: 0, catalogue: .defaults) }
        let id: UUID = try newest.get("id")
        if let known = lastRead.withLock({ $0 }), known.id == id { return known.inForce }
        let inForce = CatalogueInForce(
            version: try newest.get("version"), catalogue: try catalogue(tx, of: id))
        lastRead.withLock { $0 = Read(id: id, inForce: inForce) }
        return inForce
    }

    private static func catalogue(_ tx: PostgresTransaction, of id: UUID) throws -> Catalogue {
        let row = try tx.one("SELECT content FROM companion_catalogs WHERE id = \(id)")
        return try CompanionCatalogueText.catalogue(of: row.get("content"))
    }

    // MARK: - Proposals

    /// The one open proposal, locked until the end of the transaction.
    static func lockedProposal(_ tx: PostgresTransaction) throws -> CompanionCatalogueProposal? {
        try tx.first(
            """
            SELECT id, content, proposed_by FROM companion_catalogs WHERE version IS NULL FOR UPDATE
            """
        ).map { row in
            CompanionCatalogueProposal(
                id: try row.get("id"), content: try row.get("content"), by: try row.get("proposed_by"))
        }
    }

    /// Stores the one open proposal. It takes the place of an earlier one.
    static func propose(_ tx: PostgresTransaction, _ content: String, by name: String) throws {
        try tx.execute(
            """
            INSERT INTO companion_catalogs (id, content, proposed_by)
            VALUES (\(UUID.version7()), \(content), \(name))
            ON CONFLICT ((version IS NULL)) WHERE version IS NULL DO UPDATE
            SET id = excluded.id, content = excluded.content, proposed_by = excluded.proposed_by,
                proposed_at = excluded.proposed_at
            """)
    }

    /// Puts a proposal in force as the next version.
    static func approve(_ tx: PostgresTransaction, _ id: UUID, as version: Int, by name: String) throws {
        try tx.execute(
            """
            UPDATE companion_catalogs SET version = \(version), approved_by = \(name), approved_at = now()
            WHERE id = \(id)
            """)
    }
}

/// A catalogue that waits for the approval of another person.
struct CompanionCatalogueProposal: Sendable {
    let id: UUID
    /// The text that `CompanionCatalogueText` writes.
    let content: String
    let by: String
}
