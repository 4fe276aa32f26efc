import FeatureKit
import Postgres

/// Reads the diary.
struct CompanionDiaryService: Sendable {
    let accounts: CompanionAccounts

    init(accounts: CompanionAccounts) {
        self.accounts = accounts
    }

    func page(
        of user: UserID, after place: CompanionDiaryStore.Place?
    ) async throws -> ListPage<CompanionEntryState> {
        try await accounts.read(user) { tx, _ in
            let limit = ListPage<CompanionEntryState>.size + 1
            return ListPage(try CompanionDiaryStore.page(tx, of: user, after: place, limit: limit))
        }
    }
}
