import CompanionRules
import DeviceIntake
import Testing

/// A pet whose days pass one by one. Day 0 is that of its adoption.
struct LivingPet {
    var pet = Pet(bornOn: 0)
    let rules = PetRules()
    private(set) var changes: [PetHealth] = []
    private var today = 0

    /// Lets a day pass at the end of which the pet was fed or not.
    mutating func live(fed: Bool, buff: Thousandths = 0) {
        if fed { pet.eat(FoodFigures(energy: 100, fullness: 40, mood: 2, buff: buff)) }
        let ended = EndedDay(day: today, endedAt: (today + 1) * secondsPerDay)
        if let change = pet.reset(ended, rules: rules) { changes.append(change) }
        today += 1
    }

    mutating func recover(_ word: some StringProtocol) {
        if word == "cure" { pet.cure() } else { pet.revive(now: today * secondsPerDay, fragileDays: 7) }
        changes.append(.healthy)
    }

    /// Lives by an example like `UUU F cure UU`.
    mutating func live(_ example: String) {
        for word in example.split(separator: " ") {
            if word.allSatisfy({ "FU".contains($0) }) {
                for letter in word { live(fed: letter == "F") }
            } else {
                recover(word)
            }
        }
    }
}

@Suite("The pet by the contract's examples")
struct CompanionPetExamplesTests {
    @Test(
        "health",
        arguments: [
            ("UU F UU", PetHealth.healthy, 2, []),
            ("UUU", .sick, 3, [.sick]),
            ("UUU FF", .healthy, 0, [.sick, .healthy]),
            ("UUU FUF", .healthy, 0, [.sick, .healthy]),
            ("UUU FU", .sick, 1, [.sick]),
            ("UUUUUUU", .dead, 7, [.sick, .dead]),
            ("UUUUUUUUUU", .dead, 7, [.sick, .dead]),
            ("UUU F UUUUUUU", .dead, 7, [.sick, .dead]),
            ("UUU cure UU", .healthy, 2, [.sick, .healthy]),
            ("UUUUUUU revive UUU", .sick, 3, [.sick, .dead, .healthy, .sick]),
        ] as [(String, PetHealth, Int, [PetHealth])])
    func health(resets: String, health: PetHealth, unfed: Int, changes: [PetHealth]) {
        var living = LivingPet()
        living.live(fed: false)
        living.live(resets)
        #expect(living.pet.health == health)
        #expect(living.pet.unfedDays == unfed)
        #expect(living.changes == changes)
    }

    @Test("the reset of the day of adoption only empties the day's food")
    func adoption() {
        var living = LivingPet()
        living.live(fed: true, buff: 50)
        var wanted = Pet(bornOn: 0)
        wanted.eat(FoodFigures(energy: 0, fullness: 40, mood: 2, buff: 0))
        #expect(living.pet == wanted)
    }

    @Test(
        "a cure and a revival forget the earlier resets",
        arguments: ["UUU F cure UUU F", "UUUUUUU revive UUU F"])
    func forgets(resets: String) {
        var living = LivingPet()
        living.live(fed: false)
        living.live(resets)
        #expect(living.pet.health == .sick)
        #expect(living.pet.lastFed == [false, false, true])
        living.live("F")
        #expect(living.pet.health == .healthy)
    }

    @Test("a pet that died knows its day and its instant, until it is revived")
    func death() {
        var living = LivingPet()
        living.live("U UUUUUUU")
        #expect(living.pet.diedOn == 7)
        #expect(living.pet.diedAt == 8 * secondsPerDay)
        #expect(daysLived(bornOn: 0, diedOn: 7) == 8)
        living.live("revive")
        #expect(living.pet.diedOn == nil)
        #expect(living.pet.diedAt == nil)
    }

    @Test(
        "growth of one fed day",
        arguments: [
            ("healthy", [], 100), ("healthy", [25], 103), ("healthy", [50, 100, 150], 125),
            ("fragile", [50, 100, 150], 115), ("sick", [50, 100, 150], 110),
        ] as [(String, [Thousandths], Int)])
    func growth(health: String, buffs: [Thousandths], growth: Int) {
        var living = LivingPet()
        living.live(health == "healthy" ? "U" : health == "sick" ? "U UUU" : "U UUUUUUU revive")
        for buff in buffs { living.pet.eat(FoodFigures(energy: 0, fullness: 0, mood: 0, buff: buff)) }
        living.live(fed: true)
        #expect(living.pet.growth == growth)
    }

    @Test("a pet is fragile until before the instant, and only while it is healthy")
    func fragile() {
        var living = LivingPet()
        living.live("U UUUUUUU revive")
        let until = 15 * secondsPerDay
        #expect(living.pet.fragileUntil == until)
        #expect(living.pet.isFragile(at: until - 1))
        #expect(living.pet.buffCap(at: until - 1) == 150)
        #expect(!living.pet.isFragile(at: until))
        #expect(living.pet.buffCap(at: until) == 250)
        living.live("UUU")
        #expect(!living.pet.isFragile(at: until - 1))
        #expect(living.pet.buffCap(at: until - 1) == 100)
        living.live("UUUU")
        #expect(living.pet.buffCap(at: until - 1) == 0)
    }

    @Test("fullness and mood stay between 0 and their greatest values")
    func clamps() {
        var pet = Pet(bornOn: 0)
        for _ in 0..<6 { pet.eat(FoodFigures(energy: 1, fullness: 20, mood: 1, buff: 0)) }
        #expect(pet.fullness == 100 && pet.mood == 10)
        for day in 1...6 { pet.reset(EndedDay(day: day, endedAt: day), rules: PetRules()) }
        #expect(pet.fullness == 0 && pet.mood == 4)
    }

    @Test(
        "stages",
        arguments: [
            (0, PetStage.baby), (699, .baby), (700, .young), (2_099, .young), (2_100, .adult),
            (6_299, .adult),
            (6_300, .elder),
        ])
    func stages(growth: Int, stage: PetStage) {
        #expect(PetStage(growth: growth) == stage)
    }
}
