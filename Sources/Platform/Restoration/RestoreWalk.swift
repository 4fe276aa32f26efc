import Foundation
import Postgres

/// One walk over one feature's rows during a restore. It repeats a kind of change that the restored backup has undone,
/// for example the erasure of accounts.
///
/// A restore does the walks of all features, in the order of the features and of each feature's list. A walk proceeds in
/// pages that commit by themselves. A restore that was killed resumes behind the last finished page, so a page must have
/// no further effect when it is repeated.
package struct RestoreWalk: Sendable {
    /// When a restore does a walk.
    package enum Moment: Sendable, Equatable {
        /// Once, before the restore reads the journal.
        case first
        /// Once for each part of the journal that has records of at least one of these kinds.
        case journal(Set<ErasureKind>)
        /// Once, if all sessions and open invitations must end. That is so if the journal is incomplete, or if it records
        /// that an earlier restore ended them.
        case endingAll
        /// Once, if the journal is incomplete.
        case incompleteJournal
        /// Once, after all other walks.
        case last
    }

    /// The facts about the restore under way that walks need.
    package struct Scope: Sendable {
        /// Identifies the restore: the same restore has the same name after it was killed and started again.
        package let restore: String
        /// The part of the journal that is being repeated. It has no records unless the walk's moment is `.journal`.
        package let journal: ErasureJournal
        /// Rows that were created later are not changed, because the database has not lost anything about them.
        package let until: Date
    }

    /// Handles one page: the rows whose keys are greater than `after`, in the order of their keys, at most `limit`.
    /// Returns nil behind the last row.
    package typealias Page =
        @Sendable (_ scope: Scope, _ after: UUID, _ limit: Int) async throws -> RestoredPage?

    /// Shown as the restore's progress. It also identifies the walk after a restart, so it is unique among the walks of
    /// one moment, and has no blank.
    let name: String
    let moment: Moment
    /// The number in the report to which the changed rows are added; nil if the report does not count them.
    let count: (WritableKeyPath<RestoreReport, Int> & Sendable)?
    let page: Page

    package init(
        _ name: String, _ moment: Moment, count: WritableKeyPath<RestoreReport, Int> & Sendable,
        page: @escaping Page
    ) {
        self.name = name
        self.moment = moment
        self.count = count
        self.page = page
    }

    /// A walk whose changes the report does not count.
    package init(_ name: String, _ moment: Moment, page: @escaping Page) {
        self.name = name
        self.moment = moment
        count = nil
        self.page = page
    }

    /// Work that is not divided into pages. It must have no further effect when it is repeated.
    ///
    /// - Parameter body: returns the number of changed rows.
    package static func once(
        _ name: String, _ moment: Moment, count: WritableKeyPath<RestoreReport, Int> & Sendable,
        body: @escaping @Sendable (_ scope: Scope) async throws -> Int
    ) -> RestoreWalk {
        RestoreWalk(name, moment, count: count) { scope, after, _ in
            guard after == .lowest else { return nil }
            return (.highest, try await body(scope))
        }
    }

    /// Whether the restore does this walk for a part of the journal.
    func isDue(for part: ErasureJournal) -> Bool {
        guard case .journal(let kinds) = moment else { return false }
        return kinds.contains(where: part.hasRecords)
    }
}

/// A finished page of a walk: the key of its last row, and the number of rows that it changed.
package typealias RestoredPage = (last: UUID, changed: Int)

extension PostgresRow {
    /// The row of a statement that changes one page and selects the columns `last` and `changed`; nil where `last` is
    /// NULL, because the page has no rows.
    package func restoredPage() throws -> RestoredPage? {
        guard let last = try get("last", as: UUID?.self) else { return nil }
        return (last, try get("changed"))
    }
}

extension UUID {
    /// The first in PostgreSQL's order.
    package static let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// The last in PostgreSQL's order.
    static let highest = UUID(
        uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
}
