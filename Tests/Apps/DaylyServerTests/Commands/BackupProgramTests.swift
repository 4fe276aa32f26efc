import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer

/// deploy/backup/dayly-backup with the method pg_dump; scripts/restore-drill tries pgBackRest.
@Suite("The backup program")
struct BackupProgramTests {
    private func run(
        _ arguments: String = "", in folder: TemporaryFolder, _ database: TestDatabase,
        _ more: [String: String] = [:]
    ) async throws -> Shell.Outcome {
        let environment = [
            "BACKUP_DATABASE_URL": database.url, "BACKUP_FOLDER": folder.path, "BACKUP_LIFETIME": "35d",
        ]
        return try await Shell.run(
            "deploy/backup/dayly-backup \(arguments) 2>&1", environment: environment.merging(more) { $1 })
    }

    /// Makes an empty file that is named like a dump of so many days ago.
    private func dump(_ folder: TemporaryFolder, daysAgo days: Int) throws -> String {
        let form = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateSeparator(.omitted)
        let name = "dayly-\(Date(timeIntervalSinceNow: -Double(days) * 86_400).formatted(form))T000000Z.dump"
        _ = try folder.write(name, "")
        return name
    }

    private func files(_ folder: TemporaryFolder) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(["lock"])
    }

    /// Guard: dumps are private, recorded, and deleted in time, also while dumping fails
    /// (`deploy/backup/dayly-backup`)
    @Test(
        "a dump is recorded and can be read by its owner alone; those that are too old go, whatever was asked for"
    )
    func dumps() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let (old, kept) = (try dump(folder, daysAgo: 15), try dump(folder, daysAgo: 13))
            let part = try folder.write("dayly-20260101T000000Z.dump.part", "")
            let other = try folder.write("dayly-before-upgrade.dump", "")
            let outcome = try await run(in: folder, database)
            #expect(
                outcome.status == 0 && outcome.output.contains("dayly-before-upgrade.dump was not made here"))
            try FileManager.default.removeItem(atPath: other)
            let first = try files(folder)
            #expect(first.count == 2 && first.contains(kept) && !first.contains(old))
            #expect(!FileManager.default.fileExists(atPath: part))
            let made = try #require(first.subtracting([kept]).first)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + made)
            #expect(attributes[.posixPermissions] as? Int == 0o600)

            let record = try #require(try await BackupStore(client: database.client).read())
            let finished = try #require(record.finished)
            #expect(record.now.timeIntervalSince(finished) < 60)
            let age = record.now.timeIntervalSince(try #require(record.oldest)) / 86_400
            #expect((12.9...14.1).contains(age))

            // A longer time than the journal's does not count.
            let tooOld = try dump(folder, daysAgo: 9)
            let asked = ["BACKUP_KEEP_DAYS": "40", "BACKUP_LIFETIME": "10d"]
            let clamped = try await run(in: folder, database, asked)
            #expect(clamped.output.contains("keeping 8 days"), "\(clamped.output)")
            let second = try files(folder)
            #expect(!second.contains(kept) && !second.contains(tooOld) && second.contains(made))
        }
    }

    /// Guard: dumps are private, recorded, and deleted in time, also while dumping fails
    /// (`deploy/backup/dayly-backup`)
    @Test(
        "a dump that fails is not recorded and leaves nothing, and what the journal does not reach goes all the same"
    )
    func failing() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let (kept, old) = (try dump(folder, daysAgo: 32), try dump(folder, daysAgo: 34))
            let url = database.url.replacing("/dayly_test", with: "/no_such")
            #expect(try await run(in: folder, database, ["BACKUP_DATABASE_URL": url]).status == 1)
            #expect(try files(folder).contains(kept) && !files(folder).contains(old))
            #expect(try files(folder).count == 1)
            #expect(try await BackupStore(client: database.client).read()?.finished == nil)
        }
    }

    /// Guard: a lost disk takes no record of an erasure that a backup has (`dayly-backup`)
    @Test(
        "where photos are in a folder, the journal of erasures is copied beside each dump, is listed, and goes with it"
    )
    func journal() async throws {
        try await withTestDatabase { database in
            let (folder, data) = (try TemporaryFolder(), try TemporaryFolder())
            let settings = Fixture.development(in: data, database: database.url).merging([
                "PATH": "\(TestProducts.folder.path):/usr/bin:/bin"
            ]) { $1 }
            #expect(try await run(in: folder, database, settings).status == 0)
            #expect(try files(folder).count == 1, "the service has made no journal yet")
            let journal = data.url.appendingPathComponent("objects/objects/dayly/journal")
            try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
            try Data("records".utf8).write(to: journal.appendingPathComponent("a segment"))
            let old = try dump(folder, daysAgo: 15)
            let itsJournal = try folder.write(old.replacing(".dump", with: ".journal.tar"), "")
            #expect(try await run(in: folder, database, settings).status == 0)
            #expect(!FileManager.default.fileExists(atPath: itsJournal))
            let copy = try #require(try files(folder).first { $0.hasSuffix(".journal.tar") })
            let text = try await Shell.run("tar -xO -f '\(folder.path)/\(copy)' './a segment'")
            #expect(text.output == "records")
            #expect(try await run("list", in: folder, database, settings).output.contains(copy))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + copy)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let elsewhere = settings.merging([
                "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "https://s3.example",
                "DAYLY_STORAGE_S3_BUCKET": "photos", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id",
                "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret",
            ]) { $1 }
            // Names of dumps have seconds.
            try await Task.sleep(for: .seconds(1.1))
            #expect(try await run(in: folder, database, elsewhere).status == 0)
            #expect(try files(folder).count { $0.hasSuffix(".journal.tar") } == 1)
        }
    }

    /// Guard: …in whichever form the address has it (`deploy/backup/dayly-backup` (`connect`))
    @Test(
        "no form of a database's address puts the password among the arguments of a program",
        arguments: [
            "postgresql://dayly:s%20e'c%5Cr@db.example/dayly",
            "postgresql:///dayly?host=db.example&user=dayly&password=s%20e'c%5Cr",
            "postgres://db.example/dayly?password=s%20e'c%5Cr&user=dayly",
            #"host=db.example password='s e\'c\\r' dbname=dayly"#, #"password = s\ e\'c\\r host=db.example"#,
        ])
    func arguments(url: String) async throws {
        let folder = try TemporaryFolder()
        // In the place of psql: it shows what any user of the machine could see, and what libpq alone gets.
        let program = try folder.write(
            "psql", "#!/bin/sh\nprintf '<%s>' \"$@\"; printf '[%s]' \"$PGPASSWORD\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let outcome = try await Shell.run(
            "PATH=$FOLDER:$PATH deploy/backup/dayly-backup forget snapshots 2>&1",
            environment: ["BACKUP_DATABASE_URL": url, "FOLDER": folder.path])
        let parts = outcome.output.split(separator: "[", maxSplits: 1)
        #expect(parts.last == #"s e'c\r]"#, "\(outcome.output)")
        #expect(parts.first?.contains("db.example") == true)
        for piece in ["e'c", "c%5Cr", #"c\\r"#] {
            #expect(parts.first?.contains(piece) == false, "\(outcome.output)")
        }
        let kept = try await Shell.run(
            "PATH=$FOLDER:$PATH deploy/backup/dayly-backup forget snapshots 2>&1",
            environment: ["BACKUP_DATABASE_URL": "host=db sslpassword=secret", "FOLDER": folder.path])
        #expect(kept.status == 1 && !kept.output.contains("secret"))
    }

    /// Guard: the password of the database is not an argument of a program (`deploy/backup/dayly-backup`)
    @Test("the password is decoded and does not show among the arguments; other tools record and forget")
    func records() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let role = "backup_\(UUID().uuidString.prefix(8).lowercased())"
            try await database.client.execute("CREATE ROLE \(identifier: role) LOGIN PASSWORD 'a b\\c%@:/?#'")
            try await database.client.execute("GRANT ALL ON backups TO \(identifier: role)")
            var parts = try #require(URLComponents(string: database.url))
            parts.percentEncodedUser = role
            parts.percentEncodedPassword = "a%20b%5Cc%25%40%3A%2F%3F%23"
            let url = try #require(parts.string)
            let recorded = try await run(
                "record snapshots '2026-01-31 03:00:00+00'", in: folder, database,
                ["BACKUP_DATABASE_URL": url])
            #expect(recorded.status == 0, "\(recorded.output)")
            let word = try await run("record snapshots yesterday", in: folder, database)
            #expect(word.status == 1 && word.output.contains("yesterday is not a time"), "\(word.output)")
            #expect(try await run("list", in: folder, database).output.contains("snapshots: finished"))
            #expect(try await run("forget snapshots", in: folder, database).status == 0)
            #expect(try await BackupStore(client: database.client).read()?.finished == nil)
            try await database.client.execute("DROP OWNED BY \(identifier: role)")
            try await database.client.execute("DROP ROLE \(identifier: role)")
        }
    }
}
