import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("The configuration")
struct ConfigurationTests {
    private func problems(_ environment: [String: String]) async throws -> [ConfigurationProblem] {
        do {
            _ = try ServerConfiguration.load(environment: environment, file: nil)
            return []
        } catch let error as ConfigurationProblems {
            return error.problems
        }
    }

    private func keys(_ environment: [String: String]) async throws -> Set<String> {
        Set(try await problems(environment).map(\.key))
    }

    /// Guard: production refuses plain http, console SMS, rates that are off, short and missing secrets, half
    /// a gateway (`ServerConfiguration.ruleProblems`, `SettingKind`)
    @Test("production without anything given names everything that is missing, at once")
    func emptyProduction() async throws {
        let found = try await problems([
            "DAYLY_DATABASE_MIGRATIONS_PATH": DatabaseServer.migrationsDirectory.path
        ])
        #expect(
            Set(found.map(\.key)) == [
                "database.url", "http.public_url", "auth.secret", "auth.signing_keys", "sms.kind",
            ])
        #expect(found.allSatisfy { $0.variable.hasPrefix("DAYLY_") && !$0.remedy.isEmpty })
        let text = ConfigurationProblems(problems: found).description
        #expect(text.contains("auth.secret (DAYLY_AUTH_SECRET) is missing"))
        #expect(text.contains("openssl rand"))
    }

    @Test("a complete production configuration is taken, with the product's defaults")
    func completeProduction() async throws {
        let folder = try TemporaryFolder()
        let configuration = try ServerConfiguration.load(
            environment: try Fixture.production(in: folder), file: nil)
        #expect(configuration.environment == .production)
        #expect(configuration.http.host == "127.0.0.1")
        #expect(configuration.http.port == 8080)
        #expect(configuration.http.adminPort == 9464)
        #expect(!configuration.http.$adminPort.isGiven)
        #expect(configuration.photos.lifetime == .seconds(48 * 3_600))
        #expect(configuration.photos.urlLifetime == .seconds(3_600))
        #expect(configuration.photos.sweepInterval == .seconds(5))
        #expect(configuration.groups.groupsPerUser == 5)
        #expect(configuration.groups.membersPerGroup == 12)
        #expect(configuration.photos.uploadBytes == 10 << 20)
        #expect(configuration.decoder.maxPixels == 50_000_000)
        #expect(configuration.photos.uploadMemory == 256 << 20)
        #expect(configuration.rates.isEnforced)
        #expect(configuration.auth.accessTokenLifetime == .seconds(900))
        #expect(configuration.auth.refreshTokenLifetime == .seconds(60 * 86_400))
        #expect(configuration.auth.codeLifetime == .seconds(300))
        #expect(configuration.auth.codeAttempts == 5)
        #expect(configuration.auth.resendAfter == .seconds(30))
        #expect(configuration.groups.removalsPerDay == 3)
        #expect(configuration.groups.checksPerUserAndDay == 500)
        #expect(configuration.groups.inviteLifetime == .seconds(7 * 86_400))
        #expect(configuration.groups.openInvitesPerGroup == 24)
        #expect(configuration.groups.messagesPerSenderAndDay == 20)
        #expect(configuration.groups.messagesPerRecipient == 3)
        #expect(configuration.groups.messageResendPause == .seconds(600))
        #expect(configuration.groups.wrongCodesPerUser == 10)
        #expect(configuration.groups.wrongCodesPerAddress == 100)
        #expect(configuration.log.format == .json)
        #expect(configuration.storage.kind == .filesystem)
        #expect(configuration.storage.path == folder.path + "/objects")
    }

    /// Guard: production refuses plain http, console SMS, rates that are off, short and missing secrets, half
    /// a gateway (`ServerConfiguration.ruleProblems`, `SettingKind`)
    @Test(
        "production refuses plain http, console SMS and rates that are off",
        arguments: [
            ("DAYLY_HTTP_PUBLIC_URL", "http://dayly.example", "http.public_url"),
            ("DAYLY_SMS_HTTP_URL", "http://sms.example/send", "sms.http.url"),
            ("DAYLY_SMS_KIND", "http,console", "sms.kind"),
            ("DAYLY_LIMITS_ENFORCE_RATES", "false", "limits.enforce_rates"),
            ("DAYLY_LIMITS_ENFORCE_RATES", "off", "limits.enforce_rates"),
            ("DAYLY_AUTH_SECRET", "only-thirty-one-bytes-long-00000", ""),
            ("DAYLY_AUTH_SECRET", "only-thirty-one-bytes-long-0000", "auth.secret"),
            ("DAYLY_AUTH_SIGNING_KEYS", "/no/such/file.pem", "auth.signing_keys"),
            ("DAYLY_AUTH_PREVIOUS_SECRETS", String(repeating: "s3cret,", count: 8), "auth.previous_secrets"),
            ("DAYLY_AUTH_PREVIOUS_SECRETS", String(repeating: "s", count: 32), ""),
            ("DAYLY_LINKS_DOWNLOAD", "HTTP://apps.example", "links.download"),
            ("DAYLY_SMS_HTTP_TOKEN", "", "sms.http.token"),
        ])
    func productionRefusals(_ variable: String, _ value: String, _ key: String) async throws {
        let folder = try TemporaryFolder()
        let found = try await keys(try Fixture.production(in: folder, [variable: value]))
        #expect(found == (key.isEmpty ? [] : [key]))
    }

    /// Guard: production refuses plain http, console SMS, rates that are off, short and missing secrets, half
    /// a gateway (`ServerConfiguration.ruleProblems`, `SettingKind`)
    @Test("production refuses a plain http object store, and one that is half given")
    func productionS3() async throws {
        let folder = try TemporaryFolder()
        let s3 = [
            "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://s3.example",
            "DAYLY_STORAGE_S3_BUCKET": "photos",
        ]
        let found = try await keys(try Fixture.production(in: folder, s3))
        #expect(
            found == [
                "storage.s3.endpoint", "storage.s3.access_key_id", "storage.s3.secret_access_key",
            ])
    }

    /// Guard: plain http of production stays on this machine, and clients get no URL of it
    /// (`Loopback.contains`, `ConfigurationRules`)
    @Test(
        "production takes plain http to this machine itself for the bucket and the SMS gateway, and to no other",
        arguments: [
            ("127.0.0.1:9000", true), ("127.8.9.10", true), ("[::1]:9000", true), ("localhost:9000", true),
            ("LOCALHOST", true), ("128.0.0.1", false), ("127.0.0.1.example", false), ("[::2]", false),
            ("localhost.example", false), ("10.0.0.1", false), ("127.1", false), ("0.0.0.0", false),
        ])
    func loopback(_ host: String, _ isTaken: Bool) async throws {
        let folder = try TemporaryFolder()
        let given = [
            "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://\(host)",
            "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT": "https://photos.example", "DAYLY_STORAGE_S3_BUCKET": "photos",
            "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id", "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret",
            "DAYLY_SMS_HTTP_URL": "http://\(host)/send",
        ]
        let found = try await keys(try Fixture.production(in: folder, given))
        #expect(found == (isTaken ? [] : ["storage.s3.endpoint", "sms.http.url"]))
    }

    /// Guard: plain http of production stays on this machine, and clients get no URL of it
    /// (`Loopback.contains`, `ConfigurationRules`)
    @Test("clients get no URL of this machine itself, and no plain one")
    func publicEndpoint() async throws {
        let folder = try TemporaryFolder()
        for given in [nil, "http://127.0.0.1:9000", "http://photos.example"] {
            let found = try await keys(
                try Fixture.production(
                    in: folder,
                    [
                        "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://127.0.0.1:9000",
                        "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT": given ?? "", "DAYLY_STORAGE_S3_BUCKET": "photos",
                        "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id",
                        "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret",
                    ]))
            #expect(found == ["storage.s3.public_endpoint"], "\(given ?? "nothing")")
        }
    }

    /// Guard: production refuses plain http, console SMS, rates that are off, short and missing secrets, half
    /// a gateway (`ServerConfiguration.ruleProblems`, `SettingKind`)
    @Test("a chosen gateway must be given whole")
    func gateways() async throws {
        let folder = try TemporaryFolder()
        let found = try await keys(Fixture.development(in: folder, ["DAYLY_SMS_KIND": "twilio,http"]))
        #expect(
            found == ["sms.http.url", "sms.twilio.account_sid", "sms.twilio.auth_token", "sms.twilio.from"])
    }

    @Test("development needs a database and nothing else")
    func development() async throws {
        let folder = try TemporaryFolder()
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(in: folder, ["DAYLY_HTTP_PORT": "9100"]), file: nil)
        #expect(configuration.http.publicURL == "http://127.0.0.1:9100")
        #expect(configuration.sms.kinds == [.console])
        #expect(configuration.log.format == .text)
        #expect(configuration.secrets.secret == nil)
        let without = try await keys([
            "DAYLY_ENVIRONMENT": "development",
            "DAYLY_DATABASE_MIGRATIONS_PATH": DatabaseServer.migrationsDirectory.path,
        ])
        #expect(without == ["database.url"])
    }

    @Test("all malformed values are reported at once, each once")
    func malformed() async throws {
        let folder = try TemporaryFolder()
        let wrong = [
            "DAYLY_HTTP_PORT": "80800", "DAYLY_PHOTOS_LIFETIME": "48", "DAYLY_LIMITS_UPLOAD_BYTES": "ten",
            "DAYLY_HTTP_PUBLIC_URL": "dayly.example", "DAYLY_LOG_LEVEL": "loud", "DAYLY_STORAGE_KIND": "tape",
            "DAYLY_SMS_KIND": "pigeon", "DAYLY_STORAGE_S3_PATH_STYLE": "maybe",
            "DAYLY_HTTP_TRUSTED_PROXIES": "10.0.0.0/33,localhost", "DAYLY_SMS_COUNTRIES": "Germany",
            "DAYLY_DATABASE_URL": "mysql://x", "DAYLY_ENVIRONMENT": "staging",
        ]
        let found = try await problems(try Fixture.production(in: folder, wrong))
        let expected = Set(ServerConfiguration.declared.filter { wrong[$0.variable] != nil }.map(\.key))
        #expect(expected.isSubset(of: Set(found.map(\.key))))
        #expect(found.count == Set(found.map(\.key)).count)
    }

    @Test("upload memory holds at least one upload")
    func uploadMemory() async throws {
        let folder = try TemporaryFolder()
        let found = try await keys(
            Fixture.development(in: folder, ["DAYLY_LIMITS_UPLOAD_MEMORY": "5MiB"]))
        #expect(found == ["limits.upload_memory"])
    }

    /// Guard: complaints and `config` show no secret (`SettingKind.complaint`, `Masking`)
    @Test("a complaint never repeats a secret")
    func noSecretsInComplaints() async throws {
        let folder = try TemporaryFolder()
        let found = try await problems(
            try Fixture.production(
                in: folder,
                [
                    "DAYLY_AUTH_SECRET": "hunter2", "DAYLY_DATABASE_URL": "mysql://root:hunter2@db",
                    "DAYLY_STORAGE_S3_ENDPOINT": "https://user:hunter2@s3.example",
                ]))
        #expect(found.count == 3)
        #expect(!ConfigurationProblems(problems: found).description.contains("hunter2"))
    }

    @Test("push messages need all that their providers want, and nothing in clear")
    func push() async throws {
        let folder = try TemporaryFolder()
        #expect(
            try await keys(Fixture.production(in: folder, ["DAYLY_PUSH_KIND": "apns,fcm"])) == [
                "push.apns.team_id", "push.apns.key_id", "push.apns.key", "push.apns.topic",
                "push.fcm.service_account",
            ])
        let account =
            #"{"project_id": "p", "client_email": "e", "private_key": "k", "token_uri": "https://t.example"}"#
        let complete = try Fixture.production(
            in: folder,
            [
                "DAYLY_PUSH_KIND": "apns,fcm", "DAYLY_PUSH_APNS_TEAM_ID": "TEAM012345",
                "DAYLY_PUSH_APNS_KEY_ID": "KEY0123456", "DAYLY_PUSH_APNS_TOPIC": "com.example.dayly",
                "DAYLY_PUSH_APNS_KEY": try folder.write("a.p8", "-----BEGIN PRIVATE KEY-----"),
                "DAYLY_PUSH_FCM_SERVICE_ACCOUNT": try folder.write("account.json", account),
            ])
        let configuration = try ServerConfiguration.load(environment: complete, file: nil)
        #expect(configuration.push.apns?.url == "https://api.push.apple.com")
        #expect(configuration.push.apns?.topic == "com.example.dayly")
        #expect(configuration.push.fcm?.url == "https://fcm.googleapis.com")
        let plain = account.replacing("https://t", with: "http://t")
        for (name, value, key) in [
            ("KIND", "none,apns", "push.kind"), ("APNS_TEAM_ID", "team012345", "push.apns.team_id"),
            ("APNS_KEY_ID", "KEY", "push.apns.key_id"), ("APNS_TOPIC", "dayly", "push.apns.topic"),
            ("APNS_KEY", "/nowhere.p8", "push.apns.key"),
            ("APNS_URL", "http://apns.example", "push.apns.url"),
            ("APNS_CA_FILE", try folder.write("ca", "none"), "push.apns.ca_file"),
            ("FCM_URL", "http://fcm.example", "push.fcm.url"),
            ("FCM_SERVICE_ACCOUNT", try folder.write("no.json", "{}"), "push.fcm.service_account"),
            ("FCM_SERVICE_ACCOUNT", try folder.write("plain.json", plain), "push.fcm.service_account"),
        ] {
            let found = try await keys(complete.merging(["DAYLY_PUSH_\(name)": value]) { $1 })
            #expect(found == [key], "\(name)")
        }
    }

    struct ContactCase: Decodable {
        let input: String
        let want: Bool
    }

    @Test(
        "a contact for push services has a domain that exists on the internet",
        arguments: ["production", "development"])
    func contacts(_ environment: String) async throws {
        let folder = try TemporaryFolder()
        let base =
            environment == "production" ? try Fixture.production(in: folder) : Fixture.development(in: folder)
        for each in try outsideCases("web-push-contacts.json", of: ContactCase.self) {
            let keys = try await keys(
                base.merging([
                    "DAYLY_PUSH_KIND": "web",
                    "DAYLY_PUSH_WEB_KEY": try folder.write("web.pem", Fixtures.signingKey),
                    "DAYLY_PUSH_WEB_CONTACT": each.input,
                ]) { $1 })
            #expect(keys.contains("push.web.contact") != each.want, "\(each.input)")
        }
    }

    @Test("the typed configuration has what was given")
    func typed() async throws {
        let folder = try TemporaryFolder()
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(
                in: folder,
                [
                    "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://127.0.0.1:9000/",
                    "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT": "http://pictures.test",
                    "DAYLY_STORAGE_S3_REGION": "auto",
                    "DAYLY_STORAGE_S3_BUCKET": "b", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id",
                    "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "key", "DAYLY_STORAGE_S3_PATH_STYLE": "no",
                    "DAYLY_SMS_KIND": "twilio, console", "DAYLY_SMS_TWILIO_ACCOUNT_SID": "AC1",
                    "DAYLY_SMS_TWILIO_AUTH_TOKEN": "t", "DAYLY_SMS_TWILIO_FROM": "+15550100",
                    "DAYLY_SMS_COUNTRIES": "+49, 1", "DAYLY_PHOTOS_LIFETIME": "20s",
                    "DAYLY_LIMITS_ENFORCE_RATES": "false", "DAYLY_HTTP_PUBLIC_URL": "http://phone.test/",
                    "DAYLY_HTTP_ADMIN_PORT": "0", "DAYLY_HTTP_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
                    "DAYLY_LIMITS_UPLOAD_BYTES": "2MiB",
                ]), file: nil)
        #expect(configuration.storage.s3?.endpoint.absoluteString == "http://127.0.0.1:9000")
        #expect(configuration.storage.s3?.publicEndpoint?.absoluteString == "http://pictures.test")
        #expect(configuration.storage.s3?.pathStyle == false)
        #expect(configuration.sms.kinds == [.twilio, .console])
        #expect(configuration.auth.countries == ["49", "1"])
        #expect(configuration.sms.twilio?.url.absoluteString == "https://api.twilio.com")
        #expect(configuration.photos.lifetime == .seconds(20))
        #expect(!configuration.rates.isEnforced)
        #expect(configuration.http.publicURL == "http://phone.test")
        #expect(configuration.http.adminPort == 0)
        #expect(configuration.http.$adminPort.isGiven)
        #expect(configuration.http.trustedProxies == ["10.0.0.0/8", "::1"])
        #expect(configuration.photos.uploadBytes == 2 << 20)
    }
}

@Suite("What config shows")
struct ConfigurationListingTests {
    /// Guard: complaints and `config` show no secret (`SettingKind.complaint`, `Masking`)
    @Test("secrets are masked, everything else is shown with its source")
    func masked() async throws {
        let folder = try TemporaryFolder()
        let values = try SettingValues.read(
            environment: try Fixture.production(
                in: folder,
                [
                    "DAYLY_DATABASE_URL":
                        "postgresql://dayly:hunter2@db.example:5432/dayly?sslpassword=hunter2&x=1",
                    "DAYLY_DATABASE_DIRECT_URL": "postgresql://dayly:hunter2@one.example,two.example/dayly",
                    "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "hunter2", "DAYLY_SMS_TWILIO_AUTH_TOKEN": "hunter2",
                    "DAYLY_SMS_HTTP_URL": "https://sms.example/send?key=hunter2",
                    "DAYLY_SMS_HTTP_TOKEN": "hunter2",
                    "DAYLY_AUTH_SECRET": "hunter2-hunter2-hunter2-hunter2-",
                ]), file: nil)
        let listing = ConfigurationListing(values: values)
        #expect(listing.rows.count == ServerConfiguration.declared.count)
        #expect(!listing.text.contains("hunter2"))
        #expect(
            listing.text.contains("postgresql://dayly:****@db.example:5432/dayly?sslpassword=****&x=****"))
        let port = listing.rows.first { $0.key == "http.port" }
        #expect(port?.value == "8080")
        #expect(port?.source == "default")
        #expect(listing.rows.first { $0.key == "sms.kind" }?.source == "environment")
    }

    private func problems(_ values: SettingValues) -> [ConfigurationProblem] {
        do throws(ConfigurationProblems) {
            _ = try ServerConfiguration(values: values)
            return []
        } catch {
            return error.problems
        }
    }

    @Test("docs/configuration.md is what `dayly config --markdown` prints")
    func documentation() throws {
        let file = URL(fileURLWithPath: DatabaseServer.migrationsDirectory.path).deletingLastPathComponent()
            .appending(path: "docs/configuration.md")
        #expect(try String(contentsOf: file, encoding: .utf8) == ConfigurationListing.markdown + "\n")
    }

    @Test("every setting is declared once, and every default is valid")
    func declarations() async throws {
        let values = try SettingValues.read(environment: [:], file: nil)
        #expect(Set(values.declared.map(\.key)).count == values.declared.count)
        // A number that nobody will ever set is a constant with a reason.
        #expect(values.declared.count <= 124)
        for setting in values.declared {
            #expect(
                values[setting.key].flatMap { setting.complaint(about: $0.text) } == nil, "\(setting.key)")
            #expect(!setting.meaning.contains("|") && !setting.meaning.contains("\n"), "\(setting.key)")
        }
    }

    /// Guard: a shown URL has neither user, password, parameters nor fragment (`Masking`, `URLParts`)
    @Test(
        "whatever setting a URL stands in, its user, password, parameters and fragment are not shown",
        arguments: [
            "https://hunter2:hunter2@h.example/x?hunter2=hunter2&hunter2#hunter2", "https:/u:hunter2@h/d",
            "https://h.example/?a=hunter2", "https://u:hunter2/x@h/d", "mysql://u:hunter2@h/d",
            "postgres//u:hunter2@h/d",
        ])
    func urls(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let urls = ServerConfiguration.declared.filter {
            $0.complaint(about: "x")?.contains("URL") == true
        }
        #expect(urls.count >= 11)
        for setting in urls {
            let values = try SettingValues.read(
                environment: try Fixture.production(in: folder, [setting.variable: text]), file: nil)
            let shown = ConfigurationListing(values: values).rows.first { $0.key == setting.key }?.value
            #expect(shown?.replacing("?hunter2=", with: "").contains("hunter2") == false, "\(setting.key)")
            let problems = problems(values)
            #expect(
                !ConfigurationProblems(problems: problems).description.contains("hunter2"), "\(setting.key)")
        }
        if text.contains("://") {
            #expect(!Masking.shown(text).replacing("?hunter2=", with: "").contains("hunter2"))
        }
    }

    /// Guard: complaints and `config` show no secret (`SettingKind.complaint`, `Masking`)
    @Test(
        "a database URL never shows its password",
        arguments: [
            ("postgresql://u:p@h/d", "postgresql://u:****@h/d"),
            ("postgres://u:p:q@h1,h2/d", "postgres://u:****@h1,h2/d"),
            ("postgresql://u:p/q@h/d", "**** (22 bytes)"),
            ("postgresql://u:p@q?r@h/d", "**** (24 bytes)"),
            ("postgresql://h:5432/d?user=u&password=p@x", "**** (41 bytes)"),
            ("postgres//u:p@h/d", "**** (17 bytes)"),
            ("host=h user=u password=p", "**** (24 bytes)"),
            (
                "postgresql://h/d?sslmode=require&options=-cx%3Dp",
                "postgresql://h/d?sslmode=require&options=****"
            ),
            ("postgresql://h:5432/d", "postgresql://h:5432/d"),
            ("postgresql:///d?host=/run&user=u&password=p", "postgresql:///d?host=/run&user=u&password=****"),
            ("postgresql:///d?PASSWORD=p", "postgresql:///d?PASSWORD=****"),
        ])
    func databaseURLs(_ url: String, _ shown: String) {
        #expect(Masking.databaseURL(url) == shown)
    }
}

/// Guard: a secret's file is readable by its owner only; the first one made stays (`Secrets.kept`)
@Suite("Secrets of development")
struct SecretsTests {
    @Test("they are made once, for their owner alone, and the same for all who ask")
    func madeOnce() async throws {
        let folder = try TemporaryFolder()
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(in: folder, ["DAYLY_DATA_DIR": folder.path + "/new/data"]),
            file: nil)
        let all = try await withThrowingTaskGroup(of: Secrets.self) { group in
            for _ in 0..<16 { group.addTask { try Secrets.load(configuration) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(all.map { $0.secret.keys(for: "tests").code(of: [1]) }).count == 1)
        #expect(Set(all.map(\.signingKeys)).count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new/data")
        #expect(Set(names) == ["secret", "signing-key.pem"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.path + "/new/data/" + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("of two processes that make one at once, both have what the first one made")
    func firstWins() throws {
        let folder = try TemporaryFolder()
        let mine = try Secrets.kept("secret", in: folder.url) {
            // The other process is done before this one has written its own.
            _ = try? folder.write("secret", "theirs\n")
            return "mine"
        }
        #expect(mine == "theirs")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["secret"])
    }

    @Test("a folder that cannot be made is told by name")
    func noFolder() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "")
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(in: folder, ["DAYLY_DATA_DIR": file + "/data"]), file: nil)
        let error = #expect(throws: SecretsError.self) { try Secrets.load(configuration) }
        #expect(error?.description.contains(file) == true)
    }
}
