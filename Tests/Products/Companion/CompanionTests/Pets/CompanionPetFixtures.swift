import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import HTTPTesting
import HTTPTypes
import Postgres
import Testing

@testable import Companion

extension CompanionWorld {
    static func keyed(_ key: String?) -> HTTPFields {
        guard let key, let name = HTTPField.Name("Idempotency-Key") else { return [:] }
        return [name: key]
    }

    /// A call under a key of its own, unless the test gives one.
    func act(
        _ path: String, _ person: Person, _ body: String = "{}", key: String? = UUID().uuidString
    ) async throws -> HTTPAnswer {
        try await call(.post, path, as: person, body, headers: Self.keyed(key))
    }

    func adopt(_ person: Person, species: String = "cat", name: String = "Momo") async throws -> CompanionPet
    {
        let answer = try await act("pet", person, #"{"species": "\#(species)", "name": "\#(name)"}"#)
        #expect(answer.status == 201, "\(answer)")
        return try answer.decode()
    }

    func pet(of person: Person) async throws -> CompanionPet {
        try await call(.get, "pet", as: person).decode()
    }

    func wallet(of person: Person) async throws -> CompanionWallet {
        try await call(.get, "wallet", as: person).decode()
    }

    func ledger(of person: Person) async throws -> [CompanionLedgerEntry] {
        try await call(.get, "ledger", as: person).decode(CompanionLedgerPage.self).entries
    }

    func feed(_ person: Person, _ food: String, key: String? = UUID().uuidString) async throws -> HTTPAnswer {
        try await act("pet/feed", person, #"{"item_id": "\#(food)"}"#, key: key)
    }

    func restart(_ person: Person, key: String? = UUID().uuidString) async throws -> HTTPAnswer {
        try await act("pet/restart", person, #"{"species": "dog", "name": "Rex"}"#, key: key)
    }

    /// Gives a person energy or gems as if it were earned or bought.
    func give(_ amount: Int, _ currency: Currency, to person: Person) async throws {
        let kind: LedgerKind = currency == .energy ? .award : .purchase
        try await postgres.transaction { tx in
            let posting = CompanionPosting(amount, currency, kind, ref: UUID().uuidString)
            try CompanionWallets.credit(tx, posting, of: person.id)
        }
    }

    /// Moves the clock to the next midnight in UTC. The next call does everything that is due then.
    func endDay(_ count: Int = 1) async throws {
        let day = (clock.now.timeIntervalSince1970 / 86_400).rounded(.down) + Double(count)
        try await clock.set(to: Date(timeIntervalSince1970: day * 86_400))
    }

    /// A person whose pet has ended its day of adoption.
    func keeper(species: String = "cat", energy: Int = 0, gems: Int = 0) async throws -> Person {
        let person = try await owner()
        _ = try await adopt(person, species: species)
        if energy > 0 { try await give(energy, .energy, to: person) }
        if gems > 0 { try await give(gems, .gems, to: person) }
        try await endDay()
        return person
    }

    /// Lives by an example such as `UUU F cure UU`: each letter is a day at whose end the pet was fed or not.
    func live(_ person: Person, _ example: String) async throws {
        for word in example.split(separator: " ") {
            if word.allSatisfy({ "FU".contains($0) }) {
                for letter in word { try await liveDay(person, fed: letter == "F") }
            } else {
                let answer = try await act("pet/\(word)", person)
                #expect(answer.status == 200, "\(answer)")
            }
        }
    }

    private func liveDay(_ person: Person, fed: Bool) async throws {
        if fed {
            try await give(100, .energy, to: person)
            #expect(try await feed(person, "feast").status == 200)
        }
        try await endDay()
    }

    /// The counts of all days under a name, which the flush of another feature would add up.
    func total(_ name: String) async throws -> Int {
        try await count(
            """
            SELECT coalesce(sum(count), 0)::bigint AS count FROM analytics_additions WHERE name = \(name)
            """)
    }

    /// Makes the person own cosmetics.
    func own(_ ids: String..., by person: Person) async throws {
        for id in ids {
            try await postgres.execute(
                """
                INSERT INTO companion_cosmetics (user_id, id, currency, price)
                VALUES (\(person.id), \(id), 'energy', 1)
                """)
        }
    }

    /// Makes calls at once.
    func together(
        _ count: Int, _ call: @escaping @Sendable (Int) async throws -> HTTPAnswer
    ) async throws -> [HTTPAnswer] {
        try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            for number in 0..<count { group.addTask { try await call(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    func expectProblem(_ answer: HTTPAnswer, _ status: Int, _ code: String) {
        #expect(answer.status == status && answer.code == code, "\(answer)")
    }
}
