import DaylyServer
import DaylyTesting
import Foundation
import Postgres
import Testing

/// Runs the built `dayly`.
struct Command: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    let arguments: [String]
    var environment: [String: String] = [:]
    /// The built one.
    var program = TestProducts.folder.appendingPathComponent("dayly").path

    func run() async throws -> Outcome {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/bin:/bin", "HOME": folder.path]) { own, _ in
            own
        }
        process.currentDirectoryURL = folder.url
        let output = try Self.file(folder, "output")
        let errors = try Self.file(folder, "errors")
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        // A command that does not end fails the test instead of hanging it.
        let id = process.processIdentifier
        let deadline = Task {
            try await Task.sleep(for: .seconds(60))
            kill(id, SIGKILL)
        }
        for await _ in ended {}
        deadline.cancel()
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOfFile: folder.path + "/output", encoding: .utf8),
            errors: try String(contentsOfFile: folder.path + "/errors", encoding: .utf8))
    }

    private static func file(_ folder: TemporaryFolder, _ name: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: try folder.write(name, "")))
    }
}

/// Guard: wrong use ends with 2, a finding with 3 (`Terminal.end`, `AuditCommand`)
@Suite("The command")
struct CommandTests {
    private static let commands = [
        "serve", "migrate", "sweep", "audit", "doctor", "bucket", "sms", "push", "config", "openapi",
    ]

    @Test("--help describes the command and each subcommand and ends with 0")
    func help() async throws {
        let overview = try await Command(arguments: ["--help"]).run()
        #expect(overview.status == 0)
        for name in Self.commands {
            #expect(overview.output.contains(name))
            let help = try await Command(arguments: [name, "--help"]).run()
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: dayly \(name)"))
            #expect(help.errors.isEmpty)
        }
    }

    @Test(
        "wrong use ends with 2 and a message on standard error",
        arguments: [
            ["fly"], ["serve", "--fast"], ["sweep", "--once", "--watch"],
            ["sweep", "--dry-run", "--watch"], ["migrate", "now"],
            ["config", "--config"],
        ])
    func wrongUse(_ arguments: [String]) async throws {
        let outcome = try await Command(arguments: arguments).run()
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("Usage: dayly"))
    }

    @Test("serve without a configuration ends with 1 and lists all missing settings")
    func incomplete() async throws {
        let outcome = try await Command(arguments: ["serve"]).run()
        #expect(outcome.status == 1)
        for name in [
            "DAYLY_DATABASE_URL", "DAYLY_AUTH_SECRET", "DAYLY_AUTH_SIGNING_KEYS", "DAYLY_HTTP_PUBLIC_URL",
        ] {
            #expect(outcome.errors.contains(name))
        }
        #expect(outcome.output.isEmpty)
    }

    @Test("serve without its database ends with 1 and names the remedy")
    func noDatabase() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Command(
            arguments: ["serve"],
            environment: Fixture.development(
                in: folder, ["DAYLY_HTTP_PORT": "\(try freePort())", "DAYLY_HTTP_ADMIN_PORT": "0"])
        ).run()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("DAYLY_DATABASE_URL"))
        let migrate = try await Command(
            arguments: ["migrate"], environment: Fixture.development(in: folder)
        ).run()
        #expect(migrate.status == 1)
        #expect(migrate.errors.contains("DAYLY_DATABASE_URL"))
    }

    @Test("config shows the settings in force, masked, and ends with 1 if serve would refuse them")
    func config() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "http:\n  port: 9009\n")
        let environment = Fixture.development(
            in: folder, database: "postgresql://dayly:hunter2@db.example/dayly", ["DAYLY_HTPP_PORT": "1"])
        let outcome = try await Command(arguments: ["config", "--config", file], environment: environment)
            .run()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("9009"))
        #expect(!(outcome.output + outcome.errors).contains("hunter2"))
        #expect(outcome.errors.contains("Did you mean DAYLY_HTTP_PORT?"))
        let json = try await Command(arguments: ["config", "--json"], environment: environment).run()
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [[String: Any]])
        #expect(try await Command(arguments: ["config"]).run().status == 1)
    }

    @Test("doctor without a configuration ends with 3")
    func doctor() async throws {
        let outcome = try await Command(arguments: ["doctor"]).run()
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("auth.secret"))
        let json = try await Command(arguments: ["doctor", "--json"]).run()
        #expect(json.status == 3)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [[String: Any]])
    }

    @Test("a command whose output nobody reads ends with its own status")
    func closedOutput() async throws {
        let folder = try TemporaryFolder()
        var environment = try Fixture.production(in: folder)
        environment["PROGRAM"] = Command(arguments: []).program
        let outcome = try await Shell.run(
            #"set +e; "$PROGRAM" doctor | true; echo "${PIPESTATUS[0]}""#, environment: environment)
        #expect(outcome.output == "3")
    }

    @Test("doctor reports a file that is not a signing key, and those that everybody can read")
    func keys() async throws {
        let folder = try TemporaryFolder()
        var environment = try Fixture.production(in: folder)
        let webKey = try folder.write(
            "web-push.pem", "-----BEGIN PRIVATE KEY-----\nnot looked at here\n-----END PRIVATE KEY-----\n")
        environment.merge(
            [
                "DAYLY_PUSH_KIND": "web", "DAYLY_PUSH_WEB_KEY": webKey,
                "DAYLY_PUSH_WEB_CONTACT": "mailto:ada@example.org",
            ]
        ) { $1 }
        let key = try #require(environment["DAYLY_AUTH_SIGNING_KEYS"])
        for file in [key, webKey] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
        let outcome = try await Command(arguments: ["doctor"], environment: environment).run()
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("\(key) is not a P-256 private key"))
        // The owner of the package's keys is root, so the service reads them by its group.
        #expect(outcome.output.contains("chmod o= \(key)") && outcome.output.contains("chmod o= \(webKey)"))
    }

    /// Guard: doctor names configuration files with a secret that everybody can read
    /// (`FileChecks.filesWithSecrets`)
    @Test("doctor reports a configuration file with a secret that everybody can read, and no other file")
    func openFiles() async throws {
        let folder = try TemporaryFolder()
        var environment = try Fixture.production(in: folder)
        environment["DAYLY_AUTH_SECRET"] = nil
        environment["DAYLY_DATABASE_URL"] = nil
        let url = "postgresql:///dayly?host=127.0.0.1&port=1&user=dayly&password=hunter2"
        let files = [
            ("plain.yaml", "http:\n  port: 9009\n", 0o644, false),
            ("secrets.yaml", "auth:\n  secret: \(String(repeating: "s3cret", count: 8))\n", 0o644, true),
            ("database.yaml", "database:\n  url: \(url)\n", 0o644, true),
            ("closed.yaml", "sms:\n  http:\n    token: gateway-token\n", 0o640, false),
        ]
        var arguments = ["doctor"]
        for (name, text, mode, _) in files {
            let file = try folder.write(name, text)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            arguments += ["--config", file]
        }
        let outcome = try await Command(arguments: arguments, environment: environment).run()
        for (name, _, _, isOpen) in files {
            #expect(outcome.output.contains("chmod o= \(folder.path)/\(name)") == isOpen, "\(name)")
        }
        #expect(!(outcome.output + outcome.errors).contains("hunter2"))
    }

    @Test("sms stop and allow keep a list of hashes; an argument that is not a number is not printed")
    func sms() async throws {
        try await withDatabase { postgres in
            let folder = try TemporaryFolder()
            let environment = Fixture.development(in: folder, database: postgres.configuration.url)
            let expected = [
                ("stop", "The number gets no more"), ("stop", "stopped already"), ("allow", "again"),
                ("allow", "not stopped"), ("stop", "The number gets no more"),
            ]
            for (verb, words) in expected {
                let outcome = try await Command(
                    arguments: ["sms", verb, "+1 (415) 555-0123"], environment: environment
                ).run()
                #expect(outcome.status == 0)
                #expect(outcome.output.contains(words))
            }
            #expect(try await postgres.count("SELECT count(*) AS count FROM sms_opt_outs") == 1)
            let wrong = try await Command(
                arguments: ["sms", "stop", "4155550199"], environment: environment
            ).run()
            #expect(wrong.status == 1)
            #expect(!(wrong.output + wrong.errors).contains("4155550199"))
        }
    }

    @Test("--version prints the version and ends with 0")
    func version() async throws {
        let outcome = try await Command(arguments: ["--version"]).run()
        #expect(outcome.status == 0)
        #expect(outcome.output == "dayly \(Version.text) (not built by scripts/package)\n")
    }

    @Test("an installed command tells its package's version and reads its settings, unless a file is named")
    func installed() async throws {
        let folder = try TemporaryFolder()
        for name in ["bin", "etc/dayly", "share/dayly"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        let program = folder.path + "/bin/dayly"
        try FileManager.default.copyItem(
            atPath: TestProducts.folder.appendingPathComponent("dayly").path, toPath: program)
        _ = try folder.write("share/dayly/version", "2.3.4 (commit 0123abc)\n")
        _ = try folder.write("etc/dayly/dayly.yaml", "http: {port: 9001}\nlog: {level: debug}\n")
        _ = try folder.write("etc/dayly/secrets.yaml", "http: {port: 9002}\n")
        let other = try folder.write("other.yaml", "http: {host: 127.0.0.9}\n")

        let version = try await Command(arguments: ["--version"], program: program).run()
        #expect(version.output == "dayly 2.3.4 (commit 0123abc)\n")
        let installed = try await Command(arguments: ["config"], program: program).run().output
        #expect(installed.contains("9002") && installed.contains("debug"))
        let named = try await Command(arguments: ["config", "--config", other], program: program).run().output
        #expect(named.contains("127.0.0.9") && !named.contains("9002"))
    }

    /// Guard: a faulty configuration file is described in our words, without a line of it
    /// (`ConfigurationFile.reason`)
    @Test("with a key given twice in the file, serve, config and doctor do not print its value")
    func doubledKey() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "auth:\n  secret: hunter2\n  secret: hunter2\n")
        for command in ["serve", "config", "doctor"] {
            let outcome = try await Command(arguments: [command, "--config", file]).run()
            #expect(outcome.status == (command == "doctor" ? 3 : 1))
            #expect((outcome.output + outcome.errors).contains("twice"))
            #expect(!(outcome.output + outcome.errors).contains("hunter2"))
        }
    }

    /// Guard: a failure is reported in sentences, and opened resources are closed (`FailureText`,
    /// `ServerComposition.init`)
    @Test("a failure is a sentence: a file among the migrations that is not one")
    func sentences() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("junk.sql", "SELECT 1")
        let environment = Fixture.development(in: folder, ["DAYLY_DATABASE_MIGRATIONS_PATH": folder.path])
        for arguments in [["migrate"], ["serve"], ["sweep"], ["doctor"]] {
            let outcome = try await Command(
                arguments: arguments, environment: environment.merging(["DAYLY_HTTP_ADMIN_PORT": "0"]) { $1 }
            ).run()
            let text = outcome.output + outcome.errors
            #expect(
                text.contains("junk.sql, which is not the name of a migration."), "\(arguments): \(text)")
            #expect(!text.contains("misnamed"))
        }
    }

    /// Guard: a command looks only at the settings that it needs, and makes no secret that it does not use
    /// (`Purpose.needs`, `Secrets.optional`)
    @Test("migrate and sweep need only their own settings and do not create a secret")
    func ownSettings() async throws {
        try await withDatabase { postgres in
            let folder = try TemporaryFolder()
            let environment = [
                "DAYLY_DATABASE_URL": postgres.configuration.url,
                "DAYLY_DATABASE_MIGRATIONS_PATH": DatabaseServer.migrationsDirectory.path,
                "DAYLY_DATA_DIR": folder.path + "/data",
                "DAYLY_HTTP_PORT": "many", "DAYLY_SMS_KIND": "pigeon",
            ]
            for arguments in [["migrate"], ["migrate", "--status"], ["sweep"], ["audit"]] {
                let outcome = try await Command(arguments: arguments, environment: environment).run()
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/secret"))
            let faulty = environment.merging(["DAYLY_DATABASE_URL": "mysql://db"]) { $1 }
            #expect(try await Command(arguments: ["migrate"], environment: faulty).run().status == 1)
            #expect(try await Command(arguments: ["serve"], environment: environment).run().status == 1)
        }
    }

    @Test("openapi prints the description")
    func openapi() async throws {
        let outcome = try await Command(arguments: ["openapi"]).run()
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("openapi: 3.1"))
    }
}
