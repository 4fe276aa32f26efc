import CompanionRules
import DaylyTesting
import Postgres
import Testing

@testable import Companion

@Suite("The approval of catalogues")
struct CompanionCatalogueDeskTests {
    private static func text(_ change: (inout Catalogue) -> Void) throws -> String {
        var catalogue = Catalogue.defaults
        change(&catalogue)
        return try CompanionCatalogueText.text(of: catalogue)
    }

    private func version(_ world: CompanionWorld) async throws -> Int {
        try await world.postgres.transaction { tx in try CompanionCatalogueStore.current(tx).version }
    }

    /// Guard: another person approves what was proposed, by the bounds of then
    /// (`CompanionCatalogueDesk.approve`)
    @Test("one person proposes, another one approves, and the next version is in force at once")
    func twoPeople() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let text = try Self.text { $0.foods[0].figures.energy = 30 }
            let check = try await desk.check(text)
            #expect(check.version == 0 && check.differences == ["food kibble: energy 25 → 30"])
            #expect(check.violations == [])
            await #expect(throws: CompanionCatalogueRefusal.noProposal) {
                try await desk.approve(text, by: "Bob")
            }
            #expect(try await desk.propose(text, by: "Ada") == check)
            #expect(try await version(world) == 0)
            for name in ["Ada", "ADA"] {
                await #expect(throws: CompanionCatalogueRefusal.ownProposal) {
                    try await desk.approve(text, by: name)
                }
            }
            let other = try Self.text { $0.foods[0].figures.energy = 31 }
            await #expect(throws: CompanionCatalogueRefusal.notProposed) {
                try await desk.approve(other, by: "Bob")
            }
            #expect(try await version(world) == 0)
            // Blanks make no other catalogue.
            #expect(try await desk.approve(text + "\n", by: "Bob").violations == [])
            let inForce = try await world.postgres.transaction { tx in try CompanionCatalogueStore.current(tx)
            }
            #expect(inForce.version == 1 && inForce.catalogue.foods[0].figures.energy == 30)
            await #expect(throws: CompanionCatalogueRefusal.noProposal) {
                try await desk.approve(text, by: "Bob")
            }
            let next = try await desk.check(other)
            #expect(next.version == 1 && next.differences == ["food kibble: energy 30 → 31"])
        }
    }

    @Test("a later proposal takes the place of the open one")
    func replaced() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let first = try Self.text { $0.foods[0].figures.energy = 30 }
            let second = try Self.text { $0.foods[0].figures.energy = 31 }
            _ = try await desk.propose(first, by: "Ada")
            _ = try await desk.propose(second, by: "Bob")
            await #expect(throws: CompanionCatalogueRefusal.notProposed) {
                try await desk.approve(first, by: "Eve")
            }
            #expect(try await desk.approve(second, by: "Ada").violations == [])
            #expect(try await world.count("SELECT count(*) FROM companion_catalogs") == 1)
        }
    }

    /// Guard: a proposal is locked while it is approved, and a later one takes its place
    /// (`CompanionCatalogueStore.lockedProposal`, `CompanionCatalogueStore.propose`)
    @Test("of approvals at once one makes a version")
    func atTheSameTime() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let text = try Self.text { $0.foods[0].figures.energy = 30 }
            _ = try await desk.propose(text, by: "Ada")
            let approved = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        do {
                            _ = try await desk.approve(text, by: "Bob \(number)")
                            return true
                        } catch CompanionCatalogueRefusal.noProposal {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(approved == 1)
            #expect(try await version(world) == 1)
        }
    }

    /// Guard: a proposal is locked while it is approved, and a later one takes its place
    /// (`CompanionCatalogueStore.lockedProposal`, `CompanionCatalogueStore.propose`)
    @Test("a catalogue that is replaced while it is approved does not come into force")
    func replacedMeanwhile() async throws {
        try await CompanionWorld.run { world in
            let (desk, postgres) = (CompanionCatalogueDesk(postgres: world.postgres), world.postgres)
            let first = try Self.text { $0.foods[0].figures.energy = 30 }
            let second = try Self.text { $0.foods[0].figures.energy = 31 }
            _ = try await desk.propose(first, by: "Ada")
            let calls = try await postgres.holding("SELECT FROM companion_catalogs FOR UPDATE") {
                let proposal = Task { try await desk.propose(second, by: "Ada") }
                try await postgres.untilWaiting(1)
                let approval = Task { try await desk.approve(first, by: "Bob") }
                try await postgres.untilWaiting(2)
                return [proposal, approval]
            }
            #expect(try await calls[0].value.violations == [])
            await #expect(throws: CompanionCatalogueRefusal.notProposed) { try await calls[1].value }
            #expect(try await version(world) == 0)
        }
    }

    /// Guard: a proposal is locked while it is approved, and a later one takes its place
    /// (`CompanionCatalogueStore.lockedProposal`, `CompanionCatalogueStore.propose`)
    @Test("of proposals at once the last one stays")
    func proposalsAtOnce() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let texts = try (30..<36).map { energy in try Self.text { $0.foods[0].figures.energy = energy } }
            let checks = try await DaylyTesting.atOnce(6) { try await desk.propose(texts[$0], by: "Ada") }
            #expect(checks.allSatisfy { $0.violations == [] })
            #expect(try await world.count("SELECT count(*) FROM companion_catalogs") == 1)
        }
    }

    @Test("the database itself wants two people")
    func constraint() async throws {
        try await CompanionWorld.run { world in
            _ = try await CompanionCatalogueDesk(postgres: world.postgres).propose(
                try Self.text { $0.foods[0].figures.energy = 30 }, by: "Ada")
            await #expect(throws: PostgresError.self) {
                try await world.postgres.execute(
                    "UPDATE companion_catalogs SET version = 1, approved_by = 'ada', approved_at = now()")
            }
        }
    }

    /// Guard: another person approves what was proposed, by the bounds of then
    /// (`CompanionCatalogueDesk.approve`)
    @Test("bounds are those of what is in force when it is proposed and when it is approved")
    func bounds() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let doubled = try Self.text { $0.foods[0].figures.energy = 50 }
            let quadrupled = try Self.text { $0.foods[0].figures.energy = 100 }
            #expect(try await desk.propose(quadrupled, by: "Ada").violations.count == 3)
            #expect(try await world.count("SELECT count(*) FROM companion_catalogs") == 0)
            _ = try await desk.propose(doubled, by: "Ada")
            _ = try await desk.approve(doubled, by: "Bob")
            #expect(try await desk.propose(quadrupled, by: "Ada").violations == [])
            // A catalogue that came into force in between, by hand.
            let cheap = try Self.text { $0.foods[0].figures.energy = 25 }
            try await world.postgres.execute(
                """
                INSERT INTO companion_catalogs (id, version, content, proposed_by, approved_by, approved_at)
                VALUES (gen_random_uuid(), 2, \(cheap), 'a', 'b', now())
                """)
            #expect(try await desk.approve(quadrupled, by: "Bob").violations.count == 3)
            #expect(try await version(world) == 2)
        }
    }

    @Test("a text that is not a catalogue breaks a bound, and one that is not JSON is refused")
    func unreadable() async throws {
        try await CompanionWorld.run { world in
            let desk = CompanionCatalogueDesk(postgres: world.postgres)
            let check = try await desk.propose("{}", by: "Ada")
            #expect(check.violations == ["/foods is missing."])
            await #expect(throws: CompanionCatalogueRefusal.self) { try await desk.check("{") }
            #expect(try await world.count("SELECT count(*) FROM companion_catalogs") == 0)
        }
    }
}
