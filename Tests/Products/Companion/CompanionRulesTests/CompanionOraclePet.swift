import CompanionRules

/// A pet of the oracle.
struct OraclePet {
    private var pet = Pet(bornOn: 0)
    private var rules = PetRules()
    private(set) var differences: [String] = []

    mutating func take(kind: Int, _ line: [Int]) {
        switch kind {
        case 30:
            pet = Pet(bornOn: line[0])
            rules = PetRules(fedEnergy: line[1], sickAfter: line[2], deadAfter: line[3])
        case 31: pet.eat(FoodFigures(energy: line[0], fullness: line[1], mood: line[2], buff: line[3]))
        case 32:
            let change = pet.reset(EndedDay(day: line[0], endedAt: line[1]), rules: rules)
            let codes: [PetHealth?: Int] = [nil: 0, .healthy: 1, .sick: 2, .dead: 3]
            if codes[change] != line[2] {
                differences.append("reset \(line) changed to \(String(describing: change))")
            }
        case 33: pet.cure()
        case 34: pet.revive(now: line[0], fragileDays: line[1])
        default: compare(line)
        }
    }

    private mutating func compare(_ line: [Int]) {
        let found = [
            PetHealth.allCases.firstIndex(of: pet.health) ?? -1, pet.unfedDays, pet.growth, pet.fullness,
            pet.mood, pet.fragileUntil ?? -1, pet.diedOn ?? -1, pet.diedAt ?? -1,
            PetStage.allCases.firstIndex(of: pet.stage) ?? -1,
        ]
        if found != line { differences.append("pet \(found), not \(line)") }
    }
}

/// The oracle's questions about recoveries and refunds, and how the Swift rules differ from its answers.
enum OracleAnswers {
    static func recovery(_ line: [Int]) -> [String] {
        let limits = RecoveryLimits(
            pauseHours: line[0], count: line[1] == -1 ? nil : line[1], windowDays: line[2])
        let found = limits.retryAt(earlier: line[6...], now: line[3]) ?? -1
        return found == line[4] ? [] : ["recovery \(line): \(found)"]
    }

    static func refund(_ line: [Int]) -> [String] {
        let bought = line[5...].map { GemCosmetic(id: "", gems: $0) }
        let effect = RefundEffect(credited: line[0], gems: line[1], boughtAfter: bought)
        return [effect.gems, effect.takenBack.count] == Array(line[2...3])
            ? [] : ["refund \(line): \(effect)"]
    }
}
