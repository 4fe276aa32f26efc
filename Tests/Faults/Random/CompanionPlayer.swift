import CompanionAPI
import DaylyAPI
import DaylyTesting
import Foundation
import StoreTesting

/// Plays one person of Companion, who does one thing after the other, and holds each answer against the model.
struct CompanionPlayer: Sendable {
    let person: CompanionPerson
    let caller: CompanionCaller
    let store: TestAppStore
    private(set) var model: CompanionModel
    /// The keyed calls that have succeeded.
    private var done: [CompanionCaller.Call] = []
    private var reports = 0

    /// - Parameter model: that of a person with a new pet.
    init(caller: CompanionCaller, store: TestAppStore, model: CompanionModel) {
        (self.caller, self.store, self.model) = (caller, store, model)
        person = caller.person
    }

    mutating func play(_ turn: CompanionPlan.Turn) async throws {
        switch turn.deed {
        case .feed: try await feed(turn)
        case .feedTwice: try await feedTwice(turn)
        case .recover: try await recover(turn)
        case .dress: try await dress(turn)
        case .buyCosmetic: try await buyCosmetic(turn)
        case .buyGems: try await buyGems(turn)
        case .takeGemsBack: try await takeGemsBack(turn)
        case .takeBackUnknown: try await takeBackUnknown(turn)
        case .endDay: try await endDay(turn)
        case .repeatOld: try await repeatOld(turn)
        case .look: try await look()
        }
    }

    // MARK: - The pet

    private mutating func feed(_ turn: CompanionPlan.Turn) async throws {
        let food = Self.choose(CompanionGoods.foods(of: model.pet.species), turn)
        let body = #"{"item_id": "\#(food.id)"}"#
        let refusal =
            model.pet.health == "dead"
            ? "wrong_pet_state" : model.energy < food.energy ? "not_enough_energy" : nil
        let meal: CompanionPetAndWallet? = try await act("pet/feed", body, turn, refusal)
        guard let meal else { return }
        model.eat(food)
        expect(meal.pet.figures, model.pet.figures, "a pet that has eaten \(food.id)")
        model.pet = meal.pet
        expect(meal.wallet, "a meal")
    }

    /// Two meals at the same time, which are two calls.
    private mutating func feedTwice(_ turn: CompanionPlan.Turn) async throws {
        let food = Self.choose(CompanionGoods.foods(of: model.pet.species), turn)
        let caller = caller
        let answers = try await atOnce(2) { place in
            try await caller.send(
                .init(
                    path: "pet/feed", body: #"{"item_id": "\#(food.id)"}"#,
                    key: "turn-\(turn.number)-\(place)"))
        }
        let eaten = answers.count { $0.status == 200 }
        let affordable = model.pet.health == "dead" ? 0 : min(2, model.energy / food.energy)
        expect(eaten, affordable, "meals of two at once")
        for _ in 0..<eaten { model.eat(food) }
        let pet: CompanionPet = try await get("pet")
        expect(pet.figures, model.pet.figures, "a pet that has eaten \(food.id) twice at once")
        model.pet = pet
        try await look()
    }

    private mutating func recover(_ turn: CompanionPlan.Turn) async throws {
        let kind = model.pet.health != "dead" ? "cure" : turn.choice % 2 == 0 ? "revive" : "restart"
        let body = kind == "restart" ? #"{"species": "\#(person.species)", "name": "Mia"}"# : "{}"
        let refusals =
            model.pet.health == "healthy" ? ["wrong_pet_state"] : ["recovery_unavailable", "not_enough_gems"]
        let before = model
        let recovery: CompanionPetAndWallet? = try await act(
            "pet/\(kind)", body, turn, refusals, isRefused: model.pet.health == "healthy" ? true : nil)
        guard let recovery else { return }
        let price = ["cure": 120, "revive": 400, "restart": 200][kind] ?? 0
        model.recover(kind, recovery.pet, gems: recovery.wallet.gems)
        expect(recovery.pet.health, "healthy", "a pet after a \(kind)")
        expect(recovery.pet.unfedDays, 0, "unfed days after a \(kind)")
        expect(recovery.pet.growth, kind == "restart" ? 0 : before.pet.growth, "growth after a \(kind)")
        let isFree = kind == "restart" && recovery.wallet.gems == before.gems
        if !isFree { expect(recovery.wallet.gems, before.gems - price, "gems after a \(kind)") }
        expect(recovery.wallet, "a \(kind)")
    }

    /// One thing of each category, as the choice says.
    private mutating func dress(_ turn: CompanionPlan.Turn) async throws {
        let owned = CompanionGoods.cosmetics.filter { model.owned.contains($0.id) }
        let chosen = Dictionary(grouping: owned, by: \.category).values.map { Self.choose($0, turn).id }
            .sorted()
        let body = #"{"items": [\#(chosen.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
        let answer = try await caller.send(.init(method: "PUT", path: "pet/outfit", body: body))
        guard answer.status == 200 else { return broken("an outfit was answered \(answer)") }
        let pet: CompanionPet = try answer.decode()
        expect(pet.outfit, chosen, "an outfit")
        expect(pet.figures, model.pet.figures, "a dressed pet")
        model.pet = pet
    }

    // MARK: - Shopping

    private mutating func buyCosmetic(_ turn: CompanionPlan.Turn) async throws {
        let cosmetic = Self.choose(CompanionGoods.cosmetics, turn)
        let currency = turn.choice % 2 == 0 ? "energy" : "gems"
        let refusal: String? =
            if model.owned.contains(cosmetic.id) {
                "already_owned"
            } else if let price = cosmetic.price(in: currency) {
                (currency == "energy" ? model.energy : model.gems) < price ? "not_enough_\(currency)" : nil
            } else {
                "invalid_request"
            }
        let body = #"{"currency": "\#(currency)"}"#
        let sale: CompanionCosmeticAndWallet? = try await act("cosmetics/\(cosmetic.id)", body, turn, refusal)
        guard let sale else { return }
        model.buy(cosmetic, for: currency)
        expect(sale.cosmetic.owned, true, "a cosmetic that was bought")
        expect(sale.wallet, "a cosmetic")
    }

    private mutating func buyGems(_ turn: CompanionPlan.Turn) async throws {
        let (id, gems) = ("\(person.index)-\(turn.number)", Self.choose(CompanionGoods.gems, turn))
        let body = try person.purchase(id, of: CompanionStage.product(gems), in: store)
        let answers = try await send(.init(path: "purchases", body: body), turn)
        model.credit(id, gems)
        for answer in answers {
            guard answer.status == 200 else { return broken("a purchase was answered \(answer)") }
            expect(try answer.decode(CompanionPurchaseAnswer.self).wallet, "a purchase")
        }
    }

    private mutating func takeGemsBack(_ turn: CompanionPlan.Turn) async throws {
        guard !model.purchases.isEmpty else { return try await look() }
        let purchase = Self.choose(model.purchases, turn)
        let product = CompanionStage.product(purchase.gems)
        let isTold = turn.choice % 2 == 0
        let body =
            try isTold
            ? person.refund(purchase.id, of: product, in: store)
            : person.purchase(purchase.id, of: product, in: store, isRevoked: true)
        let call = CompanionCaller.Call(path: isTold ? "store-notifications" : "purchases", body: body)
        for answer in try await send(call, turn) where answer.status != (isTold ? 204 : 200) {
            broken("a refund was answered \(answer)")
        }
        model.refund(purchase)
        try await look()
    }

    /// A purchase that the store takes back before the service knows it is never credited.
    private mutating func takeBackUnknown(_ turn: CompanionPlan.Turn) async throws {
        let (id, product) = ("\(person.index)-\(turn.number)", CompanionStage.product(100))
        let refund = try person.refund(id, of: product, in: store)
        for answer in try await send(.init(path: "store-notifications", body: refund), turn) {
            expect(answer.status, 204, "a refund of an unknown purchase")
        }
        let purchase = try person.purchase(id, of: product, in: store)
        for answer in try await send(.init(path: "purchases", body: purchase), turn) {
            expect(answer.code, "invalid_receipt", "a purchase that was taken back before")
        }
        try await look()
    }

    // MARK: - Days

    private mutating func endDay(_ turn: CompanionPlan.Turn) async throws {
        let day = try await person.client.world.passCompanionDays(of: person.client.id)
        reports += 1
        let phones = turn.isTwin ? [0, 1] : [0]
        let calls = phones.map { report(of: day, minutes: turn.choice / 7 % 61, byPhone: $0) }
        let caller = caller
        for answer in try await atOnce(calls.count, { try await caller.send(calls[$0]) }) {
            guard answer.status == 200 else { return broken("a sync was answered \(answer)") }
            let sync = try answer.decode(CompanionSyncAnswer.self)
            if sync.acknowledged != reports || !sync.rejected.isEmpty {
                broken("a sync up to \(reports) was answered \(answer)")
            }
        }
        try await lookAtMorning(after: day)
    }

    private func report(of day: String, minutes: Int, byPhone phone: Int) -> CompanionCaller.Call {
        let now = Date().ISO8601Format()
        let body = """
            {"device_id": "\(person.phones[phone])", "client_time": "\(now)", "events": [{"seq": \(reports),
            "at": "\(now)", "kind": "usage", "final": true, "day": "\(day)", "minutes": \(minutes)}]}
            """
        return CompanionCaller.Call(path: "sync", body: body)
    }

    /// Compares the pet with what the end of the day must make of it. The amount of the award is checked in the tables.
    private mutating func lookAtMorning(after day: String) async throws {
        let pet: CompanionPet = try await get("pet")
        model.reset(isFirst: pet.bornOn == day)
        expect(pet.figures, model.pet.figures, "a pet after the end of a day")
        model.pet = pet
        let wallet: CompanionWallet = try await get("wallet")
        if !(0...150).contains(wallet.energy - model.energy) {
            broken("the end of a day made \(wallet.energy) of \(model.energy) energy")
        }
        model.energy = wallet.energy
        expect(wallet, "the end of a day")
    }

    // MARK: - Calls

    /// Sends a keyed call as the turn says, and then again.
    ///
    /// - Parameter refusal: the problem's code with which the service must refuse the call; nil: it must not.
    /// - Returns: the answer to a call that was not refused.
    private mutating func act<Value: Decodable & Equatable>(
        _ path: String, _ body: String, _ turn: CompanionPlan.Turn, _ refusal: String?
    ) async throws -> Value? {
        try await act(path, body, turn, refusal.map { [$0] } ?? [], isRefused: refusal != nil)
    }

    /// - Parameter isRefused: nil: both may be.
    private mutating func act<Value: Decodable & Equatable>(
        _ path: String, _ body: String, _ turn: CompanionPlan.Turn, _ refusals: [String], isRefused: Bool?
    ) async throws -> Value? {
        let call = CompanionCaller.Call(path: path, body: body, key: "turn-\(turn.number)")
        let answers = try await send(call, turn)
        guard let last = answers.last else { return nil }
        if last.status >= 300 {
            for answer in answers where !refusals.contains(answer.code ?? "") || isRefused == false {
                broken("\(path) was answered \(answer) with \(model.energy) energy and \(model.gems) gems")
            }
            return nil
        }
        if isRefused == true { broken("\(path) was not refused, but answered \(last)") }
        let value: Value = try last.decode()
        for answer in answers where (try? answer.decode(Value.self)) != value {
            broken("\(path) was answered \(last) and also \(answer) under one key")
        }
        remember(call)
        if turn.isConflicting { try await conflict(with: call) }
        return value
    }

    private mutating func remember(_ call: CompanionCaller.Call) {
        done.append(call)
        if done.count > 50 { done.removeFirst() }
    }

    /// Other bytes under the key of a call that has succeeded.
    private func conflict(with call: CompanionCaller.Call) async throws {
        var other = call
        other.body = call.body.map { $0 + " " }
        expect(try await caller.send(other).code, "idempotency_key_reused", "other bytes under a key")
    }

    /// An old call that has succeeded has no effect any more.
    private mutating func repeatOld(_ turn: CompanionPlan.Turn) async throws {
        guard !done.isEmpty else { return try await look() }
        let call = Self.choose(done, turn)
        struct Paid: Decodable { let wallet: CompanionWallet }
        for answer in try await send(call, turn) {
            guard answer.status == 200 else { return broken("an old \(call.path) was answered \(answer)") }
            expect(try answer.decode(Paid.self).wallet, "an old \(call.path)")
        }
        if turn.isConflicting { try await conflict(with: call) }
    }

    private func send(
        _ call: CompanionCaller.Call, _ turn: CompanionPlan.Turn
    ) async throws -> [HTTPAnswer] {
        var answers = try await turn.isTwin ? caller.sendTwice(call) : [caller.send(call)]
        if turn.isRepeated { answers.append(try await caller.send(call)) }
        return answers
    }

    private func look() async throws {
        expect(try await get("wallet"), "a look at the wallet")
        let page: CompanionLedgerPage = try await get("ledger")
        for (currency, balance) in [("energy", model.energy), ("gems", model.gems)] {
            guard let entry = page.entries.first(where: { $0.currency == currency }) else { continue }
            expect(entry.balance, balance, "\(currency) by the last entry of the ledger")
        }
    }

    private func get<Value: Decodable>(_ path: String) async throws -> Value {
        let answer = try await caller.send(.init(method: "GET", path: path))
        guard answer.status == 200 else {
            throw ProxyError(description: "\(person.client.name) cannot get \(path): \(answer)")
        }
        return try answer.decode()
    }

    // MARK: - Judging

    private func expect(_ wallet: CompanionWallet, _ what: String) {
        expect([wallet.energy, wallet.gems], [model.energy, model.gems], "energy and gems after \(what)")
    }

    private func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
        if found != expected { broken("\(what): \(found) instead of \(expected)") }
    }

    private func broken(_ text: String) {
        person.client.world.broken("\(text), of \(person.client.name)")
    }

    private static func choose<Thing>(_ things: [Thing], _ turn: CompanionPlan.Turn) -> Thing {
        things[turn.choice / 2 % things.count]
    }
}
