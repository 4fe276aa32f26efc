import CompanionRules
import DaylyTesting
import DeviceIntake
import Testing

@Suite("What must always hold in Companion's rules")
struct CompanionPropertyTests {
    @Test("the hp do not depend on the order of the devices", arguments: 0..<200)
    func orderOfDevices(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        // Each device opens its apps anew after each of its windows; the devices' events arrive in any order.
        let queues = (1...3).map { device in
            (0..<Int.random(in: 0...8, using: &numbers)).map {
                (device, Berlin.instant(1, "08:00") + $0 * 3_600)
            }
        }
        func hp(_ order: [Int]) -> [Int] {
            var replay = CompanionReplay(days: [Berlin.figures(1), Berlin.figures(2)])
            var left = queues
            for device in order {
                guard !left[device].isEmpty else { continue }
                let (number, time) = left[device].removeFirst()
                _ = replay.bypass(number, at: time, now: Berlin.instant(1, "20:00"))
            }
            return replay.days.map(\.hp)
        }
        let inTurn = queues.indices.flatMap { Array(repeating: $0, count: queues[$0].count) }
        let total = max(0, 100 - 5 * inTurn.count)
        #expect(hp(inTurn) == [total, 100])
        #expect(hp(inTurn.shuffled(using: &numbers)) == [total, 100])
    }

    @Test("hp never rise within a day, and each text comes once", arguments: 0..<200)
    func oneOfEach(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var replay = CompanionReplay(days: [Berlin.figures(1), Berlin.figures(2)], cooldown: 10)
        var now = Berlin.instant(1, "00:00")
        while now < Berlin.instant(2, "23:00") {
            now += Int.random(in: 1...4_000, using: &numbers)
            let before = replay.days.map(\.hp)
            if Int.random(in: 0...5, using: &numbers) == 0 {
                replay.open(at: now, now: now)
            } else {
                _ = replay.bypass(1, at: now - Int.random(in: 0...1, using: &numbers), now: now)
            }
            #expect(zip(before, replay.days).allSatisfy { $0 >= $1.hp })
        }
        replay.settle(now: Berlin.instant(3, "02:00"))
        for day in replay.days {
            let texts = replay.diary.filter { $0.figures.day == day.day }.map(\.kind)
            #expect(Set(texts).count == texts.count)
            #expect(texts.count { $0.isSummary } == 1)
            #expect(day.hp == max(0, 100 - 5 * day.bypasses))
        }
    }

    @Test("resets one by one, or all missed ones at once, give the same pet", arguments: 0..<200)
    func missedResets(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var living = LivingPet()
        for _ in 0..<Int.random(in: 0...12, using: &numbers) {
            living.live(fed: Bool.random(using: &numbers), buff: 50)
        }
        let missed = (0..<Int.random(in: 0...10, using: &numbers)).map {
            EndedDay(day: 13 + $0, endedAt: (14 + $0) * secondsPerDay)
        }
        var (singly, atOnce) = (living.pet, living.pet)
        var changes: [PetHealth] = []
        for ended in missed {
            // A row is written and read again between two resets.
            if let change = singly.reset(ended, rules: living.rules) { changes.append(change) }
            singly = Pet(
                bornOn: singly.bornOn, health: singly.health, unfedDays: singly.unfedDays,
                lastFed: singly.lastFed, growth: singly.growth, fullness: singly.fullness, mood: singly.mood,
                foodEnergy: singly.foodEnergy, foodBuff: singly.foodBuff, fragileUntil: singly.fragileUntil,
                diedOn: singly.diedOn, diedAt: singly.diedAt)
        }
        #expect(atOnce.resets(missed, rules: living.rules).map(\.health) == changes)
        #expect(singly == atOnce)
        #expect(singly.lastFed.count <= 3)
    }

    @Test("no buff exceeds its cap, and fullness and mood stay within theirs", arguments: 0..<200)
    func caps(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var living = LivingPet()
        for _ in 0..<40 {
            let before = living.pet
            for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                let buff = Int.random(in: 0...250, using: &numbers)
                living.pet.eat(FoodFigures(energy: 1, fullness: 30, mood: 3, buff: buff))
            }
            #expect(
                living.pet.buff(at: 0) <= (before.health == .sick ? 100 : before.health == .dead ? 0 : 250))
            living.live(fed: Int.random(in: 0...2, using: &numbers) == 0)
            let most = before.health == .sick ? 110 : before.health == .dead ? 0 : 125
            #expect(living.pet.growth - before.growth <= most)
            #expect((0...100).contains(living.pet.fullness) && (0...10).contains(living.pet.mood))
            if living.pet.health == .dead, Bool.random(using: &numbers) { living.recover("revive") }
        }
    }

    @Test("a day's award is at most energy_max, and never below 0", arguments: [0.1, 0.5, 1, 1.5, 10])
    func awards(gamma: Double) {
        let rules = AwardRules(energyMax: 150, gamma: gamma)
        for minutes in stride(from: 0, through: 3_600, by: 45) {
            for before in stride(from: 0, through: 3_600, by: 150) {
                let award = rules.award(
                    for: UseRatio(usedMinutes: minutes, limitMinutes: 60),
                    dayBefore: UseRatio(usedMinutes: before, limitMinutes: 960))
                #expect(award.map((0...150).contains) == true)
            }
        }
    }

    @Test("a recovery that keeps to retry_at never exceeds its count", arguments: 0..<100)
    func counts(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let limits = Catalogue.defaults.cure.limits
        var (now, done): (Instant, [Instant]) = (0, [])
        while now < 200 * secondsPerDay {
            now += Int.random(in: 1...2 * secondsPerDay, using: &numbers)
            if let retryAt = limits.retryAt(earlier: done, now: now) {
                #expect(limits.retryAt(earlier: done, now: retryAt - 1) == retryAt)
                #expect(limits.retryAt(earlier: done, now: retryAt) == nil)
                now = retryAt
            }
            done.append(now)
            #expect(done.count { now - $0 < 30 * secondsPerDay } <= 5)
        }
    }

    @Test("a refund takes back no more than it must, and no price is lost", arguments: 0..<200)
    func refunds(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let bought = (0..<Int.random(in: 0...6, using: &numbers)).map {
            GemCosmetic(id: "\($0)", gems: Int.random(in: 1...200, using: &numbers))
        }
        let balance = Int.random(in: -100...300, using: &numbers)
        let effect = RefundEffect(credited: 250, gems: balance, boughtAfter: bought)
        #expect(effect.gems == balance - 250 + effect.takenBack.reduce(0) { $0 + $1.gems })
        #expect(effect.gems >= 0 || effect.takenBack.count == bought.count)
        if let last = effect.takenBack.last { #expect(effect.gems - last.gems < 0) }
        #expect(effect.takenBack == bought.suffix(effect.takenBack.count).reversed())
    }
}
