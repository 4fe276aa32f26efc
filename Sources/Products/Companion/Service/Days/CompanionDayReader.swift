import CompanionAPI
import CompanionRules
import DaylyAPI
import DeviceIntake
import FeatureKit
import Foundation
import Postgres

/// Reads days for answers.
struct CompanionDayReader: Sendable {
    let accounts: CompanionAccounts

    init(accounts: CompanionAccounts) {
        self.accounts = accounts
    }

    /// - Parameter day: nil: the running one.
    /// - Throws: `CompanionError.notFound` for a day that the account does not have, or has no more; `.notJoined`.
    func get(_ day: DayNumber? = nil, of user: UserID) async throws -> CompanionDay {
        try await accounts.read(user) { tx, owner in try message(tx, owner, day: day) }
    }

    /// The answer about a day, within the caller's transaction.
    ///
    /// - Parameter day: nil: the running one.
    /// - Throws: as ``get(_:of:)``.
    func message(
        _ tx: PostgresTransaction, _ owner: CompanionOwner, day: DayNumber? = nil
    ) throws -> CompanionDay {
        guard let state = try CompanionDayStore.find(tx, day ?? owner.day, of: owner.user) else {
            // The running day of an account goes only with the account, which another call may delete meanwhile.
            throw day == nil ? CompanionError.notJoined : .notFound
        }
        return CompanionDay(state, openUntil: try CompanionBypassStore.openUntil(tx, of: owner))
    }
}

extension CompanionDay {
    init(_ state: CompanionDayState, openUntil: Instant?) {
        let (figures, band) = (state.figures, state.figures.band)
        self.init(
            day: isoText(day: state.day), beginsAt: Date(instant: figures.times.beginsAt),
            endsAt: Date(instant: figures.times.endsAt), hp: figures.hp, band: band.rawValue,
            state: band.state.rawValue, tone: band.tone?.rawValue, colour: band.colour.rawValue,
            bypasses: figures.bypasses, drops: band.drops, openSeconds: figures.openSeconds,
            openUntil: openUntil.map(Date.init(instant:)),
            lockedUntil: figures.lockedUntil.map(Date.init(instant:)),
            firstUseAt: figures.firstUseAt.map(Date.init(instant:)),
            lastUseAt: figures.lastUseAt.map(Date.init(instant:)), limitMinutes: figures.limitMinutes,
            usedMinutes: figures.usedMinutes, within: figures.isWithinLimit, energy: state.energy)
    }
}
