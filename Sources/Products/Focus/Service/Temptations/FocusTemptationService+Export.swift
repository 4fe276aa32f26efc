import FeatureKit
import HTTPKit
import Postgres

extension FocusTemptationService {
    /// The settings of temptations, and what became of them.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        let state = try require(tx, user)
        let wishes = state.wishes
        return [
            "temptations": .object([
                "enabled": .bool(wishes.isEnabled), "intensity": .string(wishes.intensity.rawValue),
                "quiet_from": wishes.quiet.map { .string($0.from) } ?? .null,
                "quiet_to": wishes.quiet.map { .string($0.to) } ?? .null,
                "sent": .int(state.sent.sent), "resisted": .int(state.sent.resisted),
            ])
        ]
    }
}
