import DeviceIntake

/// Everything that is sold, with its prices: the JSON of the command and of `GET /v1/companion/catalog`.
package struct Catalogue: Hashable, Sendable {
    package var foods: [Food]
    package var cosmetics: [Cosmetic]
    package var cure: RecoveryTerms
    package var revive: RecoveryTerms
    package var restart: RecoveryTerms

    package init(
        foods: [Food], cosmetics: [Cosmetic], cure: RecoveryTerms, revive: RecoveryTerms,
        restart: RecoveryTerms
    ) {
        self.foods = foods
        self.cosmetics = cosmetics
        self.cure = cure
        self.revive = revive
        self.restart = restart
    }

    /// The foods for a pet of the species; for nil, all.
    package func foods(for species: Species?) -> [Food] {
        foods.filter { food in species.map(food.species.includes) ?? true }
    }

    package func food(_ id: String, for species: Species) -> Food? {
        foods.first { $0.id == id && $0.species.includes(species) }
    }

    package func cosmetic(_ id: String) -> Cosmetic? {
        cosmetics.first { $0.id == id }
    }

    package func terms(of recovery: RecoveryKind) -> RecoveryTerms {
        switch recovery {
        case .cure: cure
        case .revive: revive
        case .restart: restart
        }
    }
}

/// The price and the limits of a recovery. Each recovery has some of the optional members.
package struct RecoveryTerms: Hashable, Sendable {
    package var gems: Int
    package var pauseHours: Int
    /// Cure and revive have it, and `windowDays`.
    package var count: Int?
    package var windowDays: Int?
    /// Revive has it.
    package var fragileDays: Int?
    /// Restart has it: the days from the death on after which it is free.
    package var freeAfterDays: Int?

    package init(
        gems: Int, pauseHours: Int, count: Int? = nil, windowDays: Int? = nil, fragileDays: Int? = nil,
        freeAfterDays: Int? = nil
    ) {
        self.gems = gems
        self.pauseHours = pauseHours
        self.count = count
        self.windowDays = windowDays
        self.fragileDays = fragileDays
        self.freeAfterDays = freeAfterDays
    }

    package var limits: RecoveryLimits {
        RecoveryLimits(pauseHours: pauseHours, count: count, windowDays: windowDays)
    }

    /// `free_at` of the API; nil unless the pet is dead.
    package func freeAt(diedAt: Instant?) -> Instant? {
        guard let diedAt, let freeAfterDays else { return nil }
        return diedAt + freeAfterDays * secondsPerDay
    }

    /// The price now.
    package func gems(diedAt: Instant?, now: Instant) -> Int {
        guard let freeAt = freeAt(diedAt: diedAt) else { return gems }
        return now < freeAt ? gems : 0
    }
}
