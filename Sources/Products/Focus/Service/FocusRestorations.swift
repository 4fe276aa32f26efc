import FeatureKit
import Foundation
import Postgres
import Restoration

extension ErasureKind {
    /// A user left Focus, and the account remained.
    static let focus = ErasureKind(rawValue: "focus")
}

/// The steps of a restore for Focus.
struct FocusRestorations: Sendable {
    private let store: FocusRestorationStore

    init(postgres: PostgresClient) {
        store = FocusRestorationStore(postgres: postgres)
    }

    /// Users who had left Focus leave again, and follows that a block had ended are ended again. Groups restores the blocks
    /// before.
    var walks: [RestoreWalk] {
        [
            RestoreWalk("focus", .journal([.focus])) { [store] scope, after, limit in
                let page = try await store.digests(after: after, limit: limit)
                guard let last = page.last else { return nil }
                let left = page.filter { scope.journal.contains(.focus, $0.digest) }.map(\.user)
                return (last.user.rawValue, try await store.delete(left))
            },
            RestoreWalk("focus_follows", .journal([.block])) { [store] _, after, limit in
                try await store.endBlockedFollows(after: after, limit: limit)
            },
        ]
    }
}
