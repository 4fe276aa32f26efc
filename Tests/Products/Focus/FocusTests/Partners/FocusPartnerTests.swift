import DaylyTesting
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Testing

@testable import Focus

@Suite("Partners of Focus")
struct FocusPartnerTests {
    private func ask(_ world: FocusWorld, _ other: Person, by person: Person) async throws -> HTTPAnswer {
        try await world.call(.put, "partners/\(other.id.rawValue)", as: person)
    }

    private func accept(_ world: FocusWorld, _ asker: Person, by person: Person) async throws -> HTTPAnswer {
        try await world.call(.post, "partners/\(asker.id.rawValue)/accept", as: person)
    }

    private func states(_ world: FocusWorld, _ person: Person) async throws -> (own: [String], of: [String]) {
        let list = try await world.call(.get, "partners", as: person)
        return (list.texts("partners", "state"), list.texts("partner_of", "state"))
    }

    @Test("a user asks, the other accepts, both see it, and asking and accepting may be repeated")
    func agreement() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member(name: "Bob"))
            try await world.group(of: [ada.id, bob.id])
            #expect(try await accept(world, ada, by: bob).status == 404)
            for _ in 0..<2 { #expect(try await ask(world, bob, by: ada).status == 204) }
            #expect(try await states(world, ada).own == ["requested"])
            #expect(try await states(world, bob).of == ["requested"])
            try await world.clock.advance(by: .hours(1))
            #expect(try await accept(world, bob, by: ada).status == 404)
            for _ in 0..<2 { #expect(try await accept(world, ada, by: bob).status == 204) }
            let list = try await world.call(.get, "partners", as: ada)
            #expect(list.text("partners", "0", "first_name") == "Bob")
            #expect(list.text("partners", "0", "since") == "2026-03-02T13:00:00Z")
            #expect(list.text("partners", "0", "state") == "accepted")
            #expect(list.json("partner_of")?.elements.isEmpty == true)
            let other = try await world.call(.get, "partners", as: bob)
            #expect(other.text("partner_of", "0", "user_id") == ada.id.resourceID.description)
            #expect(other.json("partner_of", "0", "breaks")?.elements.isEmpty == true)
            #expect(!other.text.contains("label"))
        }
    }

    /// Guard: either side ends a partnership, and so does the end of the last shared group
    /// (`FocusPartnerStore.end`, `FocusPartnerStore.endWithoutGroup`)
    @Test("either side ends it, and ending it again changes nothing")
    func ends() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            for (asker, ender) in [(ada, ada), (ada, bob), (bob, ada)] {
                try await world.befriend(asker, asker.id == ada.id ? bob : ada)
                let other = ender.id == ada.id ? bob : ada
                for _ in 0..<2 {
                    let path = "partners/\(other.id.rawValue)"
                    #expect(try await world.call(.delete, path, as: ender).status == 204)
                }
                #expect(try await states(world, ada) == ([], []))
                #expect(try await states(world, bob) == ([], []))
            }
        }
    }

    /// Guard: partners share a group, and requests are limited (`FocusPartnerService.ask`)
    @Test("people without a shared group or a profile, and oneself, cannot be asked")
    func strangers() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            let outside = try await world.person(name: "Eve")
            #expect(try await ask(world, bob, by: ada).status == 404)
            try await world.group(of: [ada.id, outside.id])
            #expect(try await ask(world, outside, by: ada).status == 404)
            #expect(try await ask(world, ada, by: ada).status == 404)
            #expect(try await world.call(.put, "partners/\(UUID())", as: ada).status == 404)
            #expect(try await ask(world, ada, by: outside).code == "focus_not_joined")
        }
    }

    @Test("a user has five partners and requests, of eight asked at once too")
    func limit() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            var others: [Person] = []
            for _ in 0..<8 { others.append(try await world.member()) }
            let people = others
            try await world.group(of: [ada.id] + people.map(\.id))
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for other in people { group.addTask { try await ask(world, other, by: ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 204 }.count == 5)
            #expect(answers.filter { $0.code == "partner_limit_reached" }.count == 3)
        }
    }

    /// Guard: partners share a group, and requests are limited (`FocusPartnerService.ask`)
    @Test("a user sends ten requests a day")
    func rate() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            try await world.group(of: [ada.id, bob.id])
            for _ in 0..<10 {
                #expect(try await ask(world, bob, by: ada).status == 204)
                _ = try await world.call(.delete, "partners/\(bob.id.rawValue)", as: ada)
            }
            let refused = try await ask(world, bob, by: ada)
            #expect(refused.status == 429 && refused.retryAfter != nil)
            #expect(refused.header("RateLimit") != nil && refused.header("RateLimit-Policy") != nil)
            try await world.clock.advance(by: .hours(24))
            #expect(try await ask(world, bob, by: ada).status == 204)
        }
    }

    /// Partners who share two groups.
    private func partners(_ world: FocusWorld) async throws -> (Person, Person, groups: [GroupID]) {
        let (ada, bob) = (try await world.member(), try await world.member())
        let groups = [
            try await world.group(of: [ada.id, bob.id]), try await world.group(of: [ada.id, bob.id]),
        ]
        try await world.befriend(ada, bob, inNewGroup: false)
        return (ada, bob, groups)
    }

    /// Guard: either side ends a partnership, and so does the end of the last shared group
    /// (`FocusPartnerStore.end`, `FocusPartnerStore.endWithoutGroup`)
    @Test("a block, and the end of the last shared group, end partnerships")
    func hooks() async throws {
        try await FocusWorld.run { world in
            let hooks = FocusFeature.groupHooks(.testing(world.postgres))
            let (ada, bob, groups) = try await partners(world)
            for (group, count) in [(groups[0], 1), (groups[1], 0)] {
                try await world.leave(bob.id, group)
                try await world.postgres.transaction { tx in
                    for hook in hooks.onMembershipEnd { try hook(tx, bob.id) }
                }
                #expect(try await states(world, ada).own.count == count)
            }
            try await world.befriend(bob, ada)
            try await world.postgres.transaction { tx in
                for hook in hooks.onBlock { try hook(tx, ada.id, bob.id) }
            }
            #expect(try await states(world, ada).of.isEmpty)
        }
    }

    /// Guard: a follow or a partnership across a block shows and tells nothing (`FocusBlockStore.none`)
    @Test(
        "partners between whom there is a block see and are told nothing, also if an older program has set it"
    )
    func strayBlock() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            try await world.befriend(ada, bob)
            func told() async throws -> [UserID] {
                try await world.postgres.transaction { tx in try FocusPartnerStore.accepted(tx, of: ada.id) }
            }
            let notices = FocusPartnerNoticeStore(postgres: world.postgres)
            #expect(try await told() == [bob.id])
            #expect(try await notices.exists(user: ada.id, partner: bob.id, isAccepted: true))
            for (blocker, blocked) in [(ada, bob), (bob, ada)] {
                try await world.postgres.execute(
                    """
                    INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
                    VALUES (\(blocker.id), sha256(''), \(blocked.id))
                    """)
                #expect(try await states(world, ada) == ([], []))
                #expect(try await states(world, bob) == ([], []))
                #expect(try await told().isEmpty)
                #expect(try await !notices.exists(user: ada.id, partner: bob.id, isAccepted: true))
                try await world.postgres.execute("DELETE FROM blocks")
            }
        }
    }

    /// Guard: ends of two shared groups at once end a partnership (`FocusPartnerStore.endWithoutGroup` (its
    /// lock))
    @Test("two people who leave their last two shared groups at the same moment are no partners any more")
    func bothLeave() async throws {
        try await FocusWorld.run { world in
            let hooks = FocusFeature.groupHooks(.testing(world.postgres))
            let (ada, bob, groups) = try await partners(world)
            let leaving = try await world.postgres.holding(
                """
                WITH gone AS (DELETE FROM group_members WHERE group_id = \(groups[0]) AND user_id = \(ada.id))
                SELECT FROM focus_partners FOR UPDATE
                """
            ) {
                let leaving = Task {
                    try await world.postgres.transaction { tx in
                        try tx.execute(
                            "DELETE FROM group_members WHERE group_id = \(groups[1]) AND user_id = \(bob.id)")
                        for hook in hooks.onMembershipEnd { try hook(tx, bob.id) }
                    }
                }
                try await world.postgres.untilWaiting()
                return leaving
            }
            try await leaving.value
            #expect(try await states(world, ada).own.isEmpty)
        }
    }

    /// Guard: nobody is asked who leaves the shared group meanwhile (`FocusPersonStore.lockSharedGroups`)
    @Test("somebody who leaves the only shared group at that moment cannot be asked")
    func askedWhileLeaving() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            try await world.group(of: [ada.id, bob.id])
            let asking = try await world.postgres.holding(
                "DELETE FROM group_members WHERE user_id = \(bob.id)"
            ) {
                let asking = Task { try await ask(world, bob, by: ada) }
                try await world.postgres.untilWaiting()
                return asking
            }
            #expect(try await asking.value.status == 404)
        }
    }

    /// Guard: partners see seven days of breaks, after they have agreed (`FocusPartnerStore`)
    @Test("a partner sees the breaks of seven days, newest first, once they have agreed")
    func breaks() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(), try await world.member())
            try await world.group(of: [ada.id, bob.id])
            for (day, streak) in [("2026-02-23", 9), ("2026-02-24", 3), ("2026-03-02", 4)] {
                try await world.postgres.execute(
                    """
                    INSERT INTO focus_breaks (user_id, day, intention_id, streak)
                    VALUES (\(ada.id), \(day)::date, \(UUID()), \(streak))
                    """)
            }
            _ = try await ask(world, bob, by: ada)
            let asked = try await world.call(.get, "partners", as: bob)
            #expect(asked.json("partner_of", "0", "breaks")?.elements.isEmpty == true)
            _ = try await accept(world, ada, by: bob)
            let list = try await world.call(.get, "partners", as: bob)
            let seen = list.json("partner_of", "0", "breaks")?.elements.map {
                "\($0["day"]?.text ?? "") \($0["streak"]?.text ?? "")"
            }
            #expect(seen == ["2026-03-02 4", "2026-02-24 3"])
        }
    }
}

extension FocusWorld {
    /// Makes the second person the partner of the first one.
    func befriend(_ person: Person, _ partner: Person, inNewGroup: Bool = true) async throws {
        if inNewGroup { try await group(of: [person.id, partner.id]) }
        #expect(try await call(.put, "partners/\(partner.id.rawValue)", as: person).status == 204)
        let accepted = try await call(.post, "partners/\(person.id.rawValue)/accept", as: partner)
        #expect(accepted.status == 204)
    }
}

extension TestPhone {
    /// An open of an intention.
    func open(_ intention: String, at: String) -> String {
        #"{"seq": \#(next()), "kind": "open", "intention_id": "\#(intention)", "at": "\#(at)"}"#
    }
}
