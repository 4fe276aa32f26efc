import CompanionRules
import Postgres

/// The acts of operators on the catalogue. A new one comes into force when one person has proposed it and another one has
/// approved it.
package struct CompanionCatalogueDesk: Sendable {
    private let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// - Throws: `CompanionCatalogueRefusal.notJSON`.
    package func check(_ text: String) async throws -> CompanionCatalogueCheck {
        try await postgres.transaction { tx in try Self.checked(tx, text).check }
    }

    /// Stores a catalogue as the one open proposal, unless it breaks a bound.
    ///
    /// - Throws: `CompanionCatalogueRefusal.notJSON`.
    package func propose(_ text: String, by name: String) async throws -> CompanionCatalogueCheck {
        try await postgres.transaction { tx in
            let (catalogue, check) = try Self.checked(tx, text)
            if let catalogue, check.violations.isEmpty {
                let content = try CompanionCatalogueText.text(of: catalogue)
                try CompanionCatalogueStore.propose(tx, content, by: name)
            }
            return check
        }
    }

    /// Puts the open proposal in force as the next version, unless it breaks a bound by now. The version of the result is that
    /// before.
    ///
    /// - Parameter text: the proposal, so that nobody approves what they have not seen.
    /// - Throws: `CompanionCatalogueRefusal`.
    package func approve(_ text: String, by name: String) async throws -> CompanionCatalogueCheck {
        try await postgres.transaction { tx in
            guard let proposal = try CompanionCatalogueStore.lockedProposal(tx) else {
                throw CompanionCatalogueRefusal.noProposal
            }
            let (catalogue, check) = try Self.checked(tx, text)
            guard let catalogue, try CompanionCatalogueText.text(of: catalogue) == proposal.content else {
                throw CompanionCatalogueRefusal.notProposed
            }
            guard name.lowercased() != proposal.by.lowercased() else {
                throw CompanionCatalogueRefusal.ownProposal
            }
            if check.violations.isEmpty {
                try CompanionCatalogueStore.approve(tx, proposal.id, as: check.version + 1, by: name)
            }
            return check
        }
    }

    private static func checked(
        _ tx: PostgresTransaction, _ text: String
    ) throws -> (catalogue: Catalogue?, check: CompanionCatalogueCheck) {
        let current = try CompanionCatalogueStore.current(tx)
        do throws(CompanionCatalogueFault) {
            let catalogue = try CompanionCatalogueText.catalogue(of: text)
            return (
                catalogue,
                CompanionCatalogueCheck(
                    version: current.version, differences: catalogue.differences(from: current.catalogue),
                    violations: catalogue.violations(comparedTo: current.catalogue))
            )
        } catch {
            guard error.isJSON else { throw CompanionCatalogueRefusal.notJSON(error.sentence) }
            return (
                nil,
                CompanionCatalogueCheck(
                    version: current.version, differences: [], violations: [error.sentence])
            )
        }
    }
}

/// A catalogue compared with the one in force.
package struct CompanionCatalogueCheck: Sendable, Equatable {
    /// The version in force.
    package let version: Int
    package let differences: [String]
    /// The bounds that it breaks, as sentences. Without any it may come into force.
    package let violations: [String]
}

/// Why a catalogue is neither judged nor put in force.
package enum CompanionCatalogueRefusal: Error, Equatable {
    case notJSON(String)
    case noProposal
    /// The proposal is another catalogue.
    case notProposed
    /// Proposer and approver are one person.
    case ownProposal
}
