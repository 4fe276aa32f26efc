import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import Testing

extension EndToEndRestores {
    /// A database that is replaced by an earlier one, by PostgreSQL's own programs.
    /// Guard: an unknown segment means that the database went back; a missing or foreign journal is refused
    /// (`GuardStore.compare`, `RestoreVerdict.judge`)
    @Suite("Restored backups")
    struct RestoreTests {
        private let settings = ["restore.beat_interval": "1s", "photos.sweep_interval": "1s"]

        /// Leaves a service that does not run, and whose database holds again what was erased and had expired.
        private func backInTime(_ service: Service) async throws -> RestoreStory {
            let story = try await RestoreStory.begin(at: service)
            let dump = try await Dump.save(service)
            try await story.erase()
            // An acknowledged erasure is outside of the database already.
            try await service.kill9()
            try await story.waitForExpiry()
            try await dump.restore(to: service)
            return story
        }

        /// Guard: an erasure is in the journal before it is acknowledged (`ErasureReceipts`, the triggers of
        /// 0009)
        /// Guard: after a restore blocks and STOPs stand as last; deleted groups stay deleted
        /// (`Restoring.erase`)
        /// Guard: erasures are repeated before the first request is served (`ServeAction.run`,
        /// `Restoring.prepare`)
        /// Guard: a restore ends only ended sessions and invitations, and uses only used days (`RestoreWalk`,
        /// the triggers of 0023, `OutboxStore.giveUpUncertain`)
        @Test("nothing that was erased or had expired comes back with a dump")
        func nothingComesBack() async throws {
            try await Service.run(on: .filesystem, settings) { service in
                let story = try await backInTime(service)
                try await story.expectBack()
                try await service.start()
                try await story.expectErased()
                try await story.expectUsable()
            }
        }

        /// Guard: doctor asks whether database and bucket belong together (`RestoreChecks`)
        @Test("commands refuse an old database until it is in order; dayly restore brings it there")
        func commands() async throws {
            try await Service.run(on: .rclone, settings) { service in
                let story = try await RestoreStory.begin(at: service)
                let dump = try await Dump.save(service)
                try await story.erase()
                try await service.kill9()
                try await dump.restore(to: service)
                for command in ["sweep", "audit"] {
                    let refused = try await service.run(command)
                    #expect(refused.status == 1 && refused.output.contains("dayly restore"), "\(refused)")
                }
                let doctor = try await service.run("doctor")
                #expect(doctor.output.contains("PROBLEM  restore guard: the database went back"), "\(doctor)")
                let restored = try await service.run("restore", "--json")
                #expect(restored.status == 0 && restored.output.contains("\"accounts\":1"), "\(restored)")
                try await story.expectErased()
                let again = try await service.run("restore")
                #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
                #expect(try await service.run("audit").status == 0)
                try await service.start()
                try await story.expectUsable()
                let current = try await service.run("doctor")
                #expect(
                    current.output.contains("ok       restore guard: database and bucket belong"),
                    "\(current)")
            }
        }

        /// Guard: a restore repeats only lost erasures, and says where the journal cannot tell
        /// (`RestoreGuard.plan`)
        /// Guard: doctor asks whether database and bucket belong together (`RestoreChecks`)
        /// Guard: a restore without the journal says what is back (`RestoreReport.unrepeatedSince`)
        @Test("a bucket without its journal, and another database's, are refused until they are accepted")
        func undecided() async throws {
            try await Service.run(on: .filesystem, settings) { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                try await service.kill9()
                let journal = service.folder.appendingPathComponent("objects/objects/dayly/journal")
                for foreign in [nil, "0000000000000009999.01790000000.\(UUID()).beat.00000000".lowercased()] {
                    try FileManager.default.removeItem(at: journal)
                    if let foreign {
                        try FileManager.default.createDirectory(
                            at: journal, withIntermediateDirectories: true)
                        try Data().write(to: journal.appendingPathComponent(foreign))
                    }
                    await #expect(throws: TimedOut.self) { try await service.start() }
                    let log = service.log
                    #expect(log.contains("dayly restore --accept-bucket"))
                    let doctor = try await service.run("doctor")
                    let verdict =
                        foreign == nil ? "this database was used" : "the bucket was last used by another"
                    #expect(doctor.output.contains("PROBLEM  restore guard: \(verdict)"), "\(doctor)")
                    #expect(try await service.run("audit", "--delete").status == 1)
                    #expect(try await service.run("restore").status == 1)
                    let accepted = try await service.run("restore", "--accept-bucket")
                    #expect(
                        accepted.status == 0 && accepted.output.contains("no journal of this"), "\(accepted)")
                    #expect(accepted.output.contains("deleted after 2"), "\(accepted)")
                    try await service.start()
                    #expect(try await ada.get("/v1/users/me").status == 401)
                    try await service.kill9()
                }
            }
        }

        /// Guard: a start without the bucket serves nothing and runs no job before database and bucket were
        /// compared, and then goes on (`StartGate`, `GatedServices`, `Restoring.prepare`)
        @Test(
            "a start without the bucket waits for it, and serves nothing and erases nothing before the restore"
        )
        func bucketAway() async throws {
            try await Service.run(on: .rclone, settings) { service, proxy in
                let proxy = try #require(proxy)
                let story = try await backInTime(service)
                try await service.database.client.execute("DELETE FROM job_leases")
                proxy.set { $0.isRefusing = true }
                let before = proxy.connections
                try await service.start(until: "/healthz")
                // Several attempts have failed, and jobs, which begin at once, would have had their turn.
                try await eventually("attempts to reach the bucket") { proxy.connections > before + 5 }
                let ready = try await Web.get(service.url + "/readyz")
                #expect(ready.status == 503 && ready.text.contains("restore"))
                for person in [story.ada, story.cem] {
                    let reply = try await person.get("/v1/users/me")
                    #expect(reply.status == 503 && reply.code == "unavailable", "\(reply)")
                }
                #expect(try await Web.get(service.url + "/openapi.yaml").status == 200)
                try await story.expectBack()
                let leases = "SELECT 1 AS one FROM job_leases" as SQL
                #expect(try await service.database.client.query(leases).isEmpty)
                proxy.set { $0.isRefusing = false }
                try await eventually("a service that is ready") {
                    try await Web.get(service.url + "/readyz").status == 200
                }
                try await story.expectErased()
                try await story.expectUsable()
                try await eventually("jobs") { try await !service.database.client.query(leases).isEmpty }
            }
        }

        /// Guard: a start without the bucket serves nothing and runs no job before database and bucket were
        /// compared, and then goes on (`StartGate`, `GatedServices`, `Restoring.prepare`)
        @Test("SIGTERM ends a service that waits for its bucket")
        func endsWhileWaiting() async throws {
            try await Service.run(on: .rclone, [:]) { service, proxy in
                try await service.kill9()
                proxy?.set { $0.isRefusing = true }
                try await service.start(until: "/healthz")
                service.terminate()
                #expect(try await service.waitForExit(within: .seconds(120)) == 0)
            }
        }

        /// Guard: a process whose database went back writes nothing more, and ends (`GuardStore.glance`,
        /// `.lock`, `RestoreWatch`)
        @Test("a service whose database is replaced underneath ends by itself")
        func underneath() async throws {
            try await Service.run(on: .filesystem, settings) { service in
                let dump = try await Dump.save(service)
                try await Task.sleep(for: .seconds(7))
                try await dump.restore(to: service)
                #expect(try await service.waitForExit(within: .seconds(30)) == 1)
                try await service.start()
                #expect(try await Web.get(service.url + "/readyz").status == 200)
            }
        }
    }
}

/// A dump of a service's database, as `pg_dump` makes it.
struct Dump {
    let file: URL

    static func save(_ service: Service) async throws -> Dump {
        let file = service.folder.appendingPathComponent("dump-\(UUID().uuidString.prefix(8)).sql")
        try await run("pg_dump", ["--no-owner", "--file", file.path, service.database.url], service)
        return Dump(file: file)
    }

    /// Into the same database, in place of all that is there.
    func restore(to service: Service) async throws {
        try await service.database.client.execute("DROP SCHEMA public CASCADE")
        try await service.database.client.execute("CREATE SCHEMA public")
        try await Self.run(
            "psql", ["--quiet", "--set", "ON_ERROR_STOP=1", "--file", file.path, service.database.url],
            service)
    }

    private static func run(_ program: String, _ arguments: [String], _ service: Service) async throws {
        let output = service.folder.appendingPathComponent("\(program).log")
        let process = try ChildProcess(
            try find(program), arguments, environment: ProcessInfo.processInfo.environment, output: output)
        guard try await process.waitForExit(within: .seconds(60)) == 0 else {
            throw TimedOut(
                description: "\(program): \((try? String(contentsOf: output, encoding: .utf8)) ?? "")")
        }
    }

    /// Where Debian puts the newest version's programs, or on the path.
    private static func find(_ program: String) throws -> URL {
        let versions = URL(fileURLWithPath: "/usr/lib/postgresql")
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? [])
            .compactMap(Int.init).sorted(by: >)
        let found = numbers.map { versions.appendingPathComponent("\($0)/bin/\(program)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let url = found ?? Programs.onPath(program) else {
            throw TimedOut(description: "\(program) is not installed; run scripts/test")
        }
        return url
    }
}

/// Four people, four groups, four photos, of which in the end one is left; a block and a STOP that are taken back for
/// others.
struct RestoreStory: Sendable {
    let service: Service
    let ada: Person
    let bob: Person
    let cem: Person
    let dan: Person
    let group: ResourceID
    let left: ResourceID
    let gone: ResourceID
    let quiet: ResourceID
    let photos: [String: Photo]
    let adasOtherDevice: Person

    static func begin(at service: Service) async throws -> RestoreStory {
        let numbers = (1...4).map { "+1415555010\($0)" }
        let ada = try await Person.signIn("Ada", numbers[0], to: service)
        let bob = try await Person.signIn("Bob", numbers[1], to: service)
        let cem = try await Person.signIn("Cem", numbers[2], to: service)
        let dan = try await Person.signIn("Dan", numbers[3], to: service)
        let group = try await ada.createGroup("Family", inviting: Array(numbers[1...]))
        for (person, invitation) in zip([bob, cem, dan], group.invitations) {
            let reply = try await person.redeem(try #require(invitation.code))
            try #require(reply.status == 200, "\(reply)")
        }
        let left = try await ada.createGroup("Left", inviting: [numbers[1]])
        let joined = try await bob.redeem(try #require(left.invitations.first?.code))
        try #require(joined.status == 200, "\(joined)")
        let gone = try await dan.createGroup("Gone", inviting: [numbers[0]])
        let quiet = try await dan.createGroup("Quiet", inviting: [numbers[0], numbers[1]])
        var photos: [String: Photo] = [:]
        for (index, person) in [ada, bob, cem, dan].enumerated() {
            let picture = Pictures.jpeg(width: 320, height: 240, seed: index)
            let reply = try await person.send(picture, to: group.group.id, key: "first")
            try #require(reply.status == 201, "\(reply)")
            photos[person.number] = try reply.decode()
        }
        let other = try await Person.signIn("Ada", numbers[0], count: 2, to: service)
        let story = RestoreStory(
            service: service, ada: ada, bob: bob, cem: cem, dan: dan, group: group.group.id,
            left: left.group.id, gone: gone.group.id, quiet: quiet.group.id, photos: photos,
            adasOtherDevice: other)
        // No PUT is late any more: one deletion is enough.
        try await service.database.client.execute(
            "UPDATE stored_objects SET created_at = now() - interval '1 hour'")
        // Bob's photo has three seconds to live, as the dump knows.
        for table in ["photos SET expires_at", "stored_objects SET delete_after"] {
            let column = table.hasPrefix("photos") ? "id" : "photo_id"
            try await service.database.client.execute(
                .init(
                    unchecked:
                        "UPDATE \(table) = now() + interval '3 seconds' WHERE \(column) = '\(try story.photo(bob).id)'"
                ))
        }
        try await service.database.client.execute(
            """
            INSERT INTO outbox (id, topic, payload, due_at, expires_at, keep_until)
            SELECT gen_random_uuid(), 'test', '{}', due, later, later
            FROM (VALUES (now()), (now() + interval '1 hour')) AS times (due),
                (SELECT now() + interval '1 hour' AS later) AS ends
            """)
        try await story.promise("before")
        return story
    }

    func photo(_ person: Person) throws -> Photo { try #require(photos[person.number]) }

    /// Dan blocks a number, and nobody invites it, in place of the one before.
    private func promise(_ number: String) async throws {
        let client = service.database.client
        try await client.execute("DELETE FROM blocks")
        try await client.execute("DELETE FROM sms_opt_outs")
        try await client.execute(
            "INSERT INTO blocks (blocker_id, number_hmac) VALUES (\(UUID(dan.id)), convert_to(\(number), 'UTF8'))"
        )
        try await client.execute(
            "INSERT INTO sms_opt_outs (number_hmac) VALUES (convert_to(\(number), 'UTF8'))")
    }

    private func expectPromise(_ number: String) async throws {
        for table in ["blocks", "sms_opt_outs"] {
            let row = try await service.database.client.first(
                """
                SELECT string_agg(convert_from(number_hmac, 'UTF8'), ' ') AS numbers FROM \(identifier: table)
                """)
            #expect(try row?.get("numbers") == number, "\(table)")
        }
    }

    /// Changes that the dump does not have.
    func erase() async throws {
        try await promise("after")
        for (person, path) in [
            (cem, "/v1/users/me"), (ada, "/v1/photos/\(try photo(ada).id)"), (bob, "/v1/groups/\(left)"),
            (dan, "/v1/groups/\(gone)"),
        ] {
            let reply = try await person.delete(path)
            try #require(reply.status == 204, "\(reply)")
        }
        let lost = try await ada.send(Pictures.jpeg(width: 320, height: 240, seed: 9), to: left, key: "lost")
        try #require(lost.status == 201, "\(lost)")
        let invitation = try await service.database.client.first(
            "SELECT id FROM invites WHERE group_id = \(UUID(quiet)) AND phone_number = \(bob.number)")
        let revoked: UUID = try #require(try invitation?.get("id"))
        let reply = try await dan.delete("/v1/invites/\(revoked.uuidString.lowercased())")
        try #require(reply.status == 204, "\(reply)")
        // Records for which no client waits are in the journal some seconds later.
        try await eventually("an empty table of erasures") {
            try await service.database.client.first("SELECT 1 AS one FROM erasures") == nil
        }
        let out = try await adasOtherDevice.post(
            "/v1/auth/logout", RefreshRequest(refreshToken: adasOtherDevice.tokens.refreshToken))
        try #require(out.status == 204, "\(out)")
    }

    func waitForExpiry() async throws {
        try await Task.sleep(for: .seconds(3))
    }

    /// The dump really brings it back.
    func expectBack() async throws {
        #expect(try await count("users", id: cem.id) == 1)
        #expect(try await count("photos", id: photo(ada).id) == 1)
        #expect(try await count("groups", id: gone) == 1)
        try await expectPromise("before")
    }

    /// In the database and in the bucket, whatever may be asked of a service.
    func expectErased() async throws {
        #expect(try await count("users", id: cem.id) == 0)
        for person in [ada, bob, cem] {
            #expect(try await count("photos", id: photo(person).id) == 0, "the photo of \(person.number)")
        }
        #expect(try await count("photos", id: photo(dan).id) == 1)
        #expect(try await count("groups", id: gone) == 0)
        try await expectPromise("after")
        let client = service.database.client
        let member = try await client.first(
            "SELECT 1 AS one FROM group_members WHERE group_id = \(UUID(left)) AND user_id = \(UUID(bob.id))")
        #expect(member == nil)
        // Only what ended in the lost time ended again: of sessions, one sign-out and one account; of invitations one; of
        // messages those that may have been sent.
        let open = try await client.first(
            """
            SELECT (SELECT count(*) FROM sessions WHERE ended_at IS NULL) AS sessions,
                (SELECT count(*) FROM verifications) AS codes,
                (SELECT count(*) FROM invites WHERE used_at IS NULL AND revoked_at IS NULL) AS invitations,
                (SELECT count(*) FROM outbox WHERE topic = 'test' AND done_at IS NULL) AS messages
            """)
        #expect(try open?.get("sessions") == 3)
        #expect(try open?.get("codes") == 0)
        #expect(try open?.get("invitations") == 1)
        #expect(try open?.get("messages") == 1)
        // Dan's photo, and the objects of the photo that was lost, which wait for the audit.
        #expect(try await service.bucket.keys().count == 4)
        let traces = [cem.id.description, String(cem.number.dropFirst())].map { Data($0.utf8) }
        for object in try await service.bucket.contents() {
            for trace in traces { #expect(Data(object).range(of: trace) == nil) }
        }
    }

    /// Only the session that had ended signs in again, and every user finds the data that is left.
    func expectUsable() async throws {
        for person in [adasOtherDevice, cem] {
            #expect(try await person.get("/v1/users/me").status == 401)
            let refreshed = try await Person.post(
                service, "/v1/auth/refresh", RefreshRequest(refreshToken: person.tokens.refreshToken),
                token: nil)
            #expect(refreshed.status == 401)
        }
        #expect(try await ada.feed(group).map(\.id) == [photo(dan).id])
        // A photo that the backup does not have used up no day.
        let picture = Pictures.jpeg(width: 320, height: 240)
        let second = try await ada.send(picture, to: left, key: "again")
        #expect(second.status == 201, "\(second)")
        let first = try await dan.send(picture, to: quiet, key: "quiet")
        #expect(first.status == 201, "\(first)")
        #expect(try await Web.get(photo(dan).url).status == 200)
    }

    private func count(_ table: String, id: ResourceID) async throws -> Int {
        let row = try await service.database.client.first(
            "SELECT count(*) AS count FROM \(identifier: table) WHERE id = \(UUID(id))")
        return try row?.get("count") ?? -1
    }
}

extension UUID {
    fileprivate init(_ id: ResourceID) {
        self = UUID(uuidString: id.description) ?? UUID()
    }
}
