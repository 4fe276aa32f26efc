/// The raw values are those of the API and of the catalogue.
package enum Species: String, CaseIterable, Sendable {
    case cat, dog
}

/// The raw values are those of the API.
package enum PetHealth: String, CaseIterable, Sendable {
    case healthy, sick, dead
}

/// The raw values are those of the API.
package enum PetStage: String, CaseIterable, Sendable {
    case baby, young, adult, elder

    package init(growth: Int) {
        switch growth {
        case ..<700: self = .baby
        case ..<2_100: self = .young
        case ..<6_300: self = .adult
        default: self = .elder
        }
    }
}

/// The rules of feeding that an operator may choose: `companion.fed_energy`, `sick_after` and `dead_after`.
package struct PetRules: Hashable, Sendable {
    package let fedEnergy: Int
    package let sickAfter: Int
    package let deadAfter: Int

    package init(fedEnergy: Int = 100, sickAfter: Int = 3, deadAfter: Int = 7) {
        self.fedEnergy = fedEnergy
        self.sickAfter = sickAfter
        self.deadAfter = deadAfter
    }
}

/// A pet, as its row keeps it. A new one comes by ``init(bornOn:)``; food by ``eat(_:)``; the end of each day by
/// ``reset(_:rules:)``; recoveries by ``cure()`` and ``revive(now:fragileDays:)``.
package struct Pet: Hashable, Sendable {
    /// The day of adoption or restart.
    package let bornOn: DayNumber
    package internal(set) var health: PetHealth
    /// Unfed days in a row.
    package internal(set) var unfedDays: Int
    /// Whether it was fed at each of its last three resets, the newest last. A cure and a revival empty it.
    package internal(set) var lastFed: [Bool]
    package internal(set) var growth: Int
    /// From 0 to 100.
    package internal(set) var fullness: Int
    /// From 0 to 10.
    package internal(set) var mood: Int
    /// The energy that today's food cost.
    package internal(set) var foodEnergy: Int
    /// The sum of today's buffs, without a cap.
    package internal(set) var foodBuff: Thousandths
    package internal(set) var fragileUntil: Instant?
    /// The day at whose end it died, and that end.
    package internal(set) var diedOn: DayNumber?
    package internal(set) var diedAt: Instant?

    package init(bornOn: DayNumber) {
        self.init(
            bornOn: bornOn, health: .healthy, unfedDays: 0, lastFed: [], growth: 0, fullness: 50, mood: 5,
            foodEnergy: 0, foodBuff: 0, fragileUntil: nil, diedOn: nil, diedAt: nil)
    }

    /// A pet from its row.
    package init(
        bornOn: DayNumber, health: PetHealth, unfedDays: Int, lastFed: [Bool], growth: Int, fullness: Int,
        mood: Int, foodEnergy: Int, foodBuff: Thousandths, fragileUntil: Instant?, diedOn: DayNumber?,
        diedAt: Instant?
    ) {
        self.bornOn = bornOn
        self.health = health
        self.unfedDays = unfedDays
        self.lastFed = lastFed
        self.growth = growth
        self.fullness = fullness
        self.mood = mood
        self.foodEnergy = foodEnergy
        self.foodBuff = foodBuff
        self.fragileUntil = fragileUntil
        self.diedOn = diedOn
        self.diedAt = diedAt
    }

    package var stage: PetStage { PetStage(growth: growth) }

    /// Only a healthy pet is fragile.
    package func isFragile(at time: Instant) -> Bool {
        guard health == .healthy, let fragileUntil else { return false }
        return time < fragileUntil
    }

    /// The greatest buff that counts.
    package func buffCap(at time: Instant) -> Thousandths {
        switch health {
        case .healthy: isFragile(at: time) ? 150 : 250
        case .sick: 100
        case .dead: 0
        }
    }

    /// Today's buff, as far as it counts.
    package func buff(at time: Instant) -> Thousandths { min(foodBuff, buffCap(at: time)) }

    /// `fed_today` of the API.
    package func isFed(_ rules: PetRules) -> Bool { foodEnergy >= rules.fedEnergy }

    /// Notes a food that was paid for. The caller refuses food for a dead pet.
    package mutating func eat(_ food: FoodFigures) {
        foodEnergy += food.energy
        foodBuff += food.buff
        fullness = min(100, fullness + food.fullness)
        mood = min(10, mood + food.mood)
    }
}

/// The days on which a pet lived, the first and the last included.
package func daysLived(bornOn: DayNumber, diedOn: DayNumber) -> Int { diedOn - bornOn + 1 }
