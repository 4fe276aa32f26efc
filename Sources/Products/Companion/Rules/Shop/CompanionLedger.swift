/// The raw values are those of the API.
package enum Currency: String, CaseIterable, Sendable {
    case energy, gems
}

/// The kinds of entries in the ledger. The raw values are those of the API.
package enum LedgerKind: String, CaseIterable, Sendable {
    case award, food, cosmetic, cure, revive, restart, purchase, refund, rollback
}

extension RecoveryKind {
    package var ledgerKind: LedgerKind {
        switch self {
        case .cure: .cure
        case .revive: .revive
        case .restart: .restart
        }
    }
}
