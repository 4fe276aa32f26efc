import DeviceIntake

/// The end of a day of the account.
package struct EndedDay: Hashable, Sendable {
    package let day: DayNumber
    package let endedAt: Instant

    package init(day: DayNumber, endedAt: Instant) {
        self.day = day
        self.endedAt = endedAt
    }
}

/// A change of health by a reset.
package struct PetChange: Hashable, Sendable {
    package let ended: EndedDay
    package let health: PetHealth
}

extension Pet {
    /// The resets at the ends of all missed days, the oldest first.
    package mutating func resets(_ missed: some Sequence<EndedDay>, rules: PetRules) -> [PetChange] {
        var changes: [PetChange] = []
        for ended in missed {
            if let health = reset(ended, rules: rules) {
                changes.append(PetChange(ended: ended, health: health))
            }
        }
        return changes
    }

    /// The reset at the end of a day. The caller does it once for each day from ``bornOn`` on, the oldest first.
    /// - Returns: the new health, if it has changed.
    @discardableResult
    package mutating func reset(_ ended: EndedDay, rules: PetRules) -> PetHealth? {
        guard health != .dead else { return nil }
        let before = health
        // A part of a day does not count.
        if ended.day != bornOn { live(ended, rules) }
        foodEnergy = 0
        foodBuff = 0
        return health == before ? nil : health
    }

    private mutating func live(_ ended: EndedDay, _ rules: PetRules) {
        let isFed = isFed(rules)
        // The buff counts by the health in which the day was lived.
        let buff = buff(at: ended.endedAt)
        unfedDays = isFed ? 0 : unfedDays + 1
        lastFed = lastFed.suffix(2) + [isFed]
        if unfedDays >= rules.deadAfter {
            health = .dead
            diedOn = ended.day
            diedAt = ended.endedAt
        } else if unfedDays >= rules.sickAfter {
            health = .sick
        } else if lastFed.count(where: { $0 }) >= 2 {
            health = .healthy
        }
        if isFed { growth += (1_000 + buff + 5) / 10 }
        fullness = max(0, fullness - 30)
        mood = max(0, mood - 1)
    }

    /// Heals a sick pet.
    package mutating func cure() {
        recover()
    }

    /// Brings a dead pet back.
    /// - Parameter fragileDays: `fragile_days` of the catalogue.
    package mutating func revive(now: Instant, fragileDays: Int) {
        recover()
        fragileUntil = now + fragileDays * secondsPerDay
        diedOn = nil
        diedAt = nil
    }

    private mutating func recover() {
        health = .healthy
        unfedDays = 0
        lastFed = []
    }
}
