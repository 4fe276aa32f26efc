import CompanionRules

/// The settings of an account, as its owner sees them.
struct CompanionSettingsState: Sendable, Equatable {
    let consent: String
    let owner: CompanionOwner
}

/// The wishes of a user for their settings.
struct CompanionSettingsChange: Sendable, Equatable {
    let consent: String
    let limitMinutes: Int
    let cooldownMinutes: Int
    /// nil: the shields are always up.
    let schedule: ShieldSchedule?
    let wantsNightly: Bool
}
