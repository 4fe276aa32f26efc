import FeatureKit
import Postgres

/// Reads the diary.
struct CompanionDiaryService: Sendable {
    let accounts: CompanionAccounts
    private let diary = CompanionDiaryStore()

    init(accounts: CompanionAccounts) {
        self.accounts = accounts
    }

    func page(
        of user: UserID, after place: CompanionDiaryStore.Place?
    ) async throws -> CompanionPage<CompanionEntryState> {
        try await accounts.read(user) { tx, _ in
            let limit = CompanionPage<CompanionEntryState>.size + 1
            return CompanionPage(try diary.page(tx, of: user, after: place, limit: limit))
        }
    }
}
