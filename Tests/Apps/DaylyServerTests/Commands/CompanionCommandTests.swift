import DaylyServer
import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("dayly companion")
struct CompanionCommandTests {
    /// A database of its own with a folder for catalogues.
    private struct Desk: Sendable {
        let postgres: PostgresClient
        let folder: TemporaryFolder

        func run(_ arguments: String...) async throws -> Command.Outcome {
            try await Command(
                arguments: ["companion"] + arguments,
                environment: Fixture.development(
                    in: folder, database: postgres.configuration.url, ["DAYLY_FEATURES": "photos,companion"])
            ).run()
        }

        /// A file with a catalogue whose kibble has this price.
        func file(_ name: String, energy: String) throws -> String {
            try folder.write(
                name,
                """
                {"foods": [{"id": "kibble", "title": "Kibble", "species": "both", "energy": \(energy), "fullness": 10,
                    "mood": 0, "buff": 0}],
                 "cosmetics": [
                    {"id": "red_scarf", "title": "Red scarf", "category": "neck", "energy": 80},
                    {"id": "blue_bandana", "title": "Blue bandana", "category": "neck", "gems": 40},
                    {"id": "straw_hat", "title": "Straw hat", "category": "head", "gems": 80},
                    {"id": "flower_crown", "title": "Flower crown", "category": "head", "energy": 120, "gems": 60},
                    {"id": "round_glasses", "title": "Round glasses", "category": "face", "energy": 100},
                    {"id": "cozy_blanket", "title": "Cozy blanket", "category": "place", "gems": 150}],
                 "recovery": {"cure": {"gems": 120, "pause_hours": 24, "count": 5, "window_days": 30},
                    "revive": {"gems": 400, "pause_hours": 168, "count": 2, "window_days": 90, "fragile_days": 7},
                    "restart": {"gems": 200, "pause_hours": 24, "free_after_days": 30}}}
                """)
        }
    }

    private func withDesk(_ body: (Desk) async throws -> Void) async throws {
        try await withDatabase { postgres in
            try await body(Desk(postgres: postgres, folder: try TemporaryFolder()))
        }
    }

    @Test("a catalogue is checked, proposed by one person and approved by another one")
    func catalogue() async throws {
        try await withDesk { desk in
            let file = try desk.file("30.json", energy: "30")
            let check = try await desk.run("catalog", "check", file)
            #expect(check.status == 0 && check.output.contains("food kibble: energy 25 → 30"), "\(check)")
            #expect(try await desk.run("catalog", "approve", file, "--by", "Bob").status == 1)
            #expect(try await desk.run("catalog", "propose", file, "--by", "Ada").status == 0)
            #expect(try await desk.run("catalog", "approve", file, "--by", " ada ").status == 1)
            let other = try desk.file("31.json", energy: "31")
            #expect(try await desk.run("catalog", "approve", other, "--by", "Bob").status == 1)
            let approved = try await desk.run("catalog", "approve", file, "--by", "Bob")
            #expect(approved.status == 0 && approved.output.contains("Version 1 is in force."), "\(approved)")
            #expect(
                try await desk.run("catalog", "check", file).output == "Nothing differs from version 1.\n")
        }
    }

    @Test("a broken bound ends with 3 and is told, and nothing is stored")
    func bounds() async throws {
        try await withDesk { desk in
            for energy in ["51", "12", "0", "\"much\"", "25.5"] {
                let file = try desk.file("broken.json", energy: energy)
                for arguments in [["check"], ["propose", "--by", "Ada"]] {
                    let outcome = try await Command(
                        arguments: ["companion", "catalog"] + arguments + [file],
                        environment: Fixture.development(
                            in: desk.folder, database: desk.postgres.configuration.url)
                    ).run()
                    #expect(outcome.status == 3, "\(energy): \(outcome)")
                    #expect(outcome.errors.contains("energy"), "\(outcome)")
                }
            }
            #expect(try await desk.postgres.count("SELECT count(*) AS count FROM companion_catalogs") == 0)
        }
    }

    @Test("a file that is missing or no JSON ends with 1, and wrong use with 2")
    func failures() async throws {
        try await withDesk { desk in
            let broken = try desk.folder.write("broken.json", "{")
            #expect(try await desk.run("catalog", "check", broken).status == 1)
            #expect(try await desk.run("catalog", "check", "missing.json").status == 1)
            #expect(try await desk.run("catalog", "propose", broken).status == 2)
            #expect(try await desk.run("catalog", "propose", broken, "--by", " ").status == 2)
            #expect(try await desk.run("flag", "pet", "maybe").status == 2)
            #expect(try await desk.run("flag", "Pet", "on").status == 1)
        }
    }

    @Test("flag sets a flag")
    func flag() async throws {
        try await withDesk { desk in
            #expect(try await desk.run("flag", "pet.outfit", "on").status == 0)
            #expect(try await desk.run("flag", "pet.outfit", "off").output == "The flag pet.outfit is off.\n")
            let row = try #require(try await desk.postgres.first("SELECT key, enabled FROM companion_flags"))
            #expect(try row.get("key", as: String.self) == "pet.outfit")
            #expect(try !row.get("enabled", as: Bool.self))
        }
    }

    @Test("ledger prints entries and memorials, and ends with 1 for whoever has not joined")
    func ledger() async throws {
        try await withDesk { desk in
            let user = try await Fixtures.user(
                in: desk.postgres, phone: Fixtures.phoneNumber(), firstName: "Ada", timeZone: "UTC")
            let id = user.rawValue.uuidString
            #expect(try await desk.run("ledger", id).status == 1)
            #expect(try await desk.run("ledger", "nonsense").status == 1)
            let statements: [SQL] = [
                """
                INSERT INTO companion_settings (user_id, consent, joined_at, limit_minutes, limit_minutes_today,
                    cooldown_minutes, nightly, day, begins_at, ends_at)
                VALUES (\(user), '1', now(), 120, 120, 30, true, current_date, now(), now() + interval '1 day')
                """,
                """
                INSERT INTO companion_wallets (user_id, energy, gems, entries, entry_at)
                VALUES (\(user), 75, -20, 1, now())
                """,
                """
                INSERT INTO companion_ledger (user_id, id, at, currency, amount, balance, kind, ref)
                VALUES (\(user), gen_random_uuid(), '2026-03-02 12:00Z', 'energy', 75, 75, 'award', '2026-03-01')
                """,
                """
                INSERT INTO companion_memorials
                    (user_id, id, name, species, growth, born_on, died_on, outfit, created_at)
                VALUES (\(user), gen_random_uuid(), 'Miso', 'cat', 100, '2026-01-01', '2026-02-01', '{}', now())
                """,
            ]
            for statement in statements { try await desk.postgres.execute(statement) }
            let printed = try await desk.run("ledger", id)
            #expect(printed.status == 0)
            #expect(
                printed.output == """
                    2026-03-02T12:00:00Z award 2026-03-01: 75 energy, then 75
                    memorial: Miso, cat, 2026-01-01 to 2026-02-01
                    75 energy, -20 gems

                    """, "\(printed)")
        }
    }

    @Test("run runs each job once, and needs Companion to be switched on")
    func run() async throws {
        try await withDesk { desk in
            let printed = try await desk.run("run")
            #expect(
                printed.status == 0 && printed.output.contains("companion_roll: 0 accounts"), "\(printed)")
            let json = try await desk.run("run", "--json").output
            let members = try #require(
                try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: any Sendable])
            #expect(
                Set(members.keys) == [
                    "companion_nightly", "companion_purge", "companion_roll", "companion_summaries",
                ])
            let off = try await Command(
                arguments: ["companion", "run"],
                environment: Fixture.development(
                    in: desk.folder, database: desk.postgres.configuration.url, ["DAYLY_FEATURES": "photos"])
            ).run()
            #expect(off.status == 1 && off.errors.contains("switched off"), "\(off)")
        }
    }
}
