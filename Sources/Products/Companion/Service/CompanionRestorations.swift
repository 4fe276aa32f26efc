import FeatureKit
import Restoration

extension ErasureKind {
    /// A user left Companion, and the account remained.
    static let companion = ErasureKind(rawValue: "companion")
}

/// The step of a restore for Companion: users who had left it leave again.
struct CompanionRestorations: Sendable {
    let settings: CompanionSettingsService

    var walks: [RestoreWalk] {
        let store = CompanionRestorationStore(postgres: settings.postgres)
        return [
            RestoreWalk("companion", .journal([.companion])) { [settings] scope, after, limit in
                let page = try await store.digests(after: after, limit: limit)
                guard let last = page.last else { return nil }
                let left = page.filter { scope.journal.contains(.companion, $0.digest) }.map(\.user)
                for user in left { try await settings.leave(user) }
                return (last.user.rawValue, left.count)
            }
        ]
    }
}
