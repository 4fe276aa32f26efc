import CompanionAPI
import DaylyAPI

/// The pet and the wallet that a person must have after the answers so far, by the contract alone.
struct CompanionModel: Sendable {
    var energy = 0
    var gems = 0
    var pet: CompanionPet
    /// Whether the pet was fed at its last resets, the newest last.
    private(set) var lastFed: [Bool] = []
    /// The cosmetics in the order in which they were bought.
    private(set) var cosmetics: [(id: String, gems: Int?, place: Int)] = []
    /// The transactions that were credited, in their order.
    private(set) var purchases: [(id: String, gems: Int, place: Int)] = []
    /// How often each change has happened, by its kind and reference.
    private(set) var changes: [String: Int] = [:]
    private var place = 0

    init(pet: CompanionPet) { self.pet = pet }

    var owned: Set<String> { Set(cosmetics.map(\.id)) }

    mutating func eat(_ food: CompanionGoods.Food) {
        energy -= food.energy
        pet.fedEnergy += food.energy
        pet.fullness = min(100, pet.fullness + food.fullness)
        pet.mood = min(10, pet.mood + food.mood)
        count("food \(food.id)")
    }

    mutating func buy(_ cosmetic: CompanionGoods.Cosmetic, for currency: String) {
        let price = cosmetic.price(in: currency) ?? 0
        if currency == "energy" { energy -= price } else { gems -= price }
        place += 1
        cosmetics.append((cosmetic.id, currency == "gems" ? price : nil, place))
        count("cosmetic \(cosmetic.id)")
    }

    mutating func credit(_ id: String, _ amount: Int) {
        gems += amount
        place += 1
        purchases.append((id, amount, place))
        count("purchase \(id)")
    }

    /// The service takes back what was bought for gems after the purchase, the newest first, while gems are owed.
    mutating func refund(_ purchase: (id: String, gems: Int, place: Int)) {
        gems -= purchase.gems
        purchases.removeAll { $0.id == purchase.id }
        count("refund \(purchase.id)")
        while gems < 0, let last = cosmetics.lastIndex(where: { $0.gems != nil && $0.place > purchase.place })
        {
            let cosmetic = cosmetics.remove(at: last)
            gems += cosmetic.gems ?? 0
            pet.outfit.removeAll { $0 == cosmetic.id }
            count("rollback \(cosmetic.id)")
        }
    }

    /// - Parameter after: the pet after a cure, a revival or a restart.
    mutating func recover(_ kind: String, _ after: CompanionPet, gems: Int) {
        self.gems = gems
        pet = after
        lastFed = []
        count(kind)
    }

    /// The end of a day.
    ///
    /// - Parameter isFirst: whether the pet was adopted on the day.
    mutating func reset(isFirst: Bool) {
        guard pet.health != "dead" else { return }
        if !isFirst { reset() }
        pet.fedEnergy = 0
        pet.buff = 0
    }

    private mutating func reset() {
        let isFed = pet.fedEnergy >= 100
        if isFed { pet.growth += (1_005 + Int((pet.buff * 1_000).rounded())) / 10 }
        pet.unfedDays = isFed ? 0 : pet.unfedDays + 1
        lastFed = (lastFed + [isFed]).suffix(3)
        if pet.unfedDays >= 7 {
            pet.health = "dead"
        } else if pet.unfedDays >= 3 {
            pet.health = "sick"
        } else if lastFed.count(where: { $0 }) >= 2 {
            pet.health = "healthy"
        }
        pet.fullness = max(0, pet.fullness - 30)
        pet.mood = max(0, pet.mood - 1)
    }

    private mutating func count(_ change: String) { changes[change, default: 0] += 1 }
}

extension CompanionPet {
    /// The figures that acts and days change.
    var figures: String {
        "\(health), unfed \(unfedDays), food \(fedEnergy), fullness \(fullness), mood \(mood), growth \(growth)"
    }
}
