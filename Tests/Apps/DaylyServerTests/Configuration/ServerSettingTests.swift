import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("Settings")
struct SettingTests {
    /// A text that the setting accepts and that is not its default.
    static func sample(_ setting: DeclaredSetting) -> String {
        let reviewer = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        let fingerprint = Array(repeating: "A5", count: 32).joined(separator: ":")
        let samples = [
            "2", "90s", "3MiB", "false", "https://store.example", "postgresql://db.example/dayly",
            "ABCDE12345",
            "FA+9qCX9VSu", "com.example.dayly", "ABCDE12345.com.example.dayly", fingerprint,
            "10.0.0.0/8,::1", "1,+49,DE", "+14155550199=123456@\(reviewer)", "development", "s3",
            "console,twilio",
            "apns,fcm", "jpeg,png", "optional", "debug", "text", String(repeating: "x", count: 40),
        ]
        let usual = ServerConfiguration.declared.first { $0.key == setting.key }?.fallback.shown
        return samples.first { setting.complaint(about: $0) == nil && usual != "`\($0)`" }
            ?? "no sample of \(setting.key)"
    }

    @Test(
        "a key's variable is its upper-case form with DAYLY_ in front",
        arguments: [
            ("storage.s3.public_endpoint", "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT"),
            ("storage.s3.bucket", "DAYLY_STORAGE_S3_BUCKET"),
            ("auth.otp.resend_after", "DAYLY_AUTH_OTP_RESEND_AFTER"),
            ("data_dir", "DAYLY_DATA_DIR"),
            ("environment", "DAYLY_ENVIRONMENT"),
        ])
    func variableNames(_ key: String, _ variable: String) {
        #expect(ServerConfiguration.declared.first { $0.key == key }?.variable == variable)
    }

    @Test("every key is read from its environment variable", arguments: ServerConfiguration.declared)
    func fromEnvironment(_ setting: DeclaredSetting) async throws {
        let text = Self.sample(setting)
        let values = try SettingValues.read(environment: [setting.variable: text], file: nil)
        #expect(values[setting.key]?.text == text)
        #expect(values[setting.key]?.origin == .environment)
        #expect(values.unknown.isEmpty)
    }

    @Test("every key is read from a YAML file, nested or dotted", arguments: ServerConfiguration.declared)
    func fromYAML(_ setting: DeclaredSetting) async throws {
        let folder = try TemporaryFolder()
        let text = Self.sample(setting)
        var nested = ""
        let parts = setting.key.split(separator: ".")
        for (depth, part) in parts.enumerated() {
            nested +=
                String(repeating: "  ", count: depth) + "\(part):" + (depth == parts.count - 1 ? "" : "\n")
        }
        for yaml in ["\(nested) \"\(text)\"\n", "\(setting.key): \"\(text)\"\n"] {
            let file = try folder.write("dayly.yaml", yaml)
            let values = try SettingValues.read(environment: [:], file: file)
            #expect(values[setting.key]?.text == text)
            #expect(values[setting.key]?.origin == .file)
            #expect(values.unknown.isEmpty)
        }
    }

    @Test("every key is read from a JSON file", arguments: ServerConfiguration.declared)
    func fromJSON(_ setting: DeclaredSetting) async throws {
        let folder = try TemporaryFolder()
        var value: Any = Self.sample(setting)
        for part in setting.key.split(separator: ".").reversed() { value = [String(part): value] }
        let json = try JSONSerialization.data(withJSONObject: value, options: .prettyPrinted)
        let file = try folder.write("dayly.json", String(decoding: json, as: UTF8.self))
        let values = try SettingValues.read(environment: [:], file: file)
        #expect(values[setting.key]?.text == Self.sample(setting))
        #expect(values.unknown.isEmpty)
    }

    @Test("a file may write numbers, booleans and lists as what they are")
    func fileTypes() async throws {
        let folder = try TemporaryFolder()
        let yaml = try folder.write(
            "a.yaml",
            "http:\n  port: 9001\n  trusted_proxies: [10.0.0.7, '::1']\nlimits:\n  enforce_rates: false\n")
        let json = try folder.write(
            "a.json",
            #"{"http": {"port": 9001, "trusted_proxies": ["10.0.0.7", "::1"]}, "limits": {"enforce_rates": false}}"#
        )
        for file in [yaml, json] {
            let values = try SettingValues.read(environment: [:], file: file)
            #expect(values["http.port"]?.text == "9001")
            #expect(values["http.trusted_proxies"]?.text == "10.0.0.7,::1")
            #expect(values["limits.enforce_rates"]?.text == "false")
        }
    }

    /// Guard: the environment wins over the file, the file over the default; unknown names get the nearest
    /// known one (`SettingValues.read`)
    @Test("the environment wins over the file, the file over the default")
    func precedence() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "http:\n  port: 9001\n  host: 0.0.0.0\n")
        let values = try SettingValues.read(environment: ["DAYLY_HTTP_PORT": "9002"], file: file)
        #expect(values["http.port"]?.text == "9002")
        #expect(values["http.host"]?.text == "0.0.0.0")
        #expect(values["http.admin_port"]?.text == "9464")
        #expect(values["http.port"]?.origin == .environment)
        #expect(values["http.host"]?.origin == .file)
        #expect(values["http.admin_port"]?.origin == .fallback)
    }

    @Test("an empty variable counts as not given")
    func emptyVariable() async throws {
        let values = try SettingValues.read(
            environment: ["DAYLY_HTTP_PORT": "", "DAYLY_SMS_COUNTRIES": " "], file: nil)
        #expect(values["http.port"]?.text == "8080")
        #expect(values["sms.countries"]?.text == nil)
    }

    /// Guard: the environment wins over the file, the file over the default; unknown names get the nearest
    /// known one (`SettingValues.read`)
    @Test("unknown names are reported, with the nearest one that is known")
    func unknownNames() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "storage:\n  s3:\n    buckt: x\n")
        let values = try SettingValues.read(
            environment: [
                "DAYLY_HTPP_PORT": "1", "DAYLY_MOON": "1", "DAYLY_TEST_DATABASE_URL": "x", "PATH": "/",
            ],
            file: file)
        #expect(
            values.unknown == [
                UnknownSetting(name: "DAYLY_HTPP_PORT", suggestion: "DAYLY_HTTP_PORT"),
                UnknownSetting(name: "DAYLY_MOON", suggestion: nil),
                UnknownSetting(name: "storage.s3.buckt", suggestion: "storage.s3.bucket"),
            ])
    }

    @Test(
        "a file that is missing, no mapping or broken is refused with its name",
        arguments: [
            nil, "- a\n- b\n", "a: [1\n", "a: 1\na: 2\n",
        ])
    func unusableFiles(_ text: String?) async throws {
        let folder = try TemporaryFolder()
        let file = try text.map { try folder.write("dayly.yaml", $0) } ?? folder.path + "/none.yaml"
        let error = #expect(throws: ConfigurationFileError.self) {
            try SettingValues.read(environment: [:], file: file)
        }
        #expect(error?.path == file)
    }

    /// Guard: a faulty configuration file is described in our words, without a line of it
    /// (`ConfigurationFile.reason`)
    @Test(
        "what a file says is never told when the file cannot be used",
        arguments: [
            "auth:\n  secret: hunter2-a\n  secret: hunter2-b\n", "hunter2: 1\nhunter2: 2\n", "hunter2",
            "auth: {secret: hunter2", "auth:\n  secret: 'hunter2\n", "- hunter2\n", "a: *hunter2\n",
            "auth:\n  secret: [{hunter2: hunter2}]\n", "? [hunter2]\n: 1\n", "a: \"\\hunter2\"\n",
            "a: hunter2\u{7}\n",
        ])
    func unusableFilesAreNotQuoted(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", text)
        let error = #expect(throws: ConfigurationFileError.self) {
            try SettingValues.read(environment: [:], file: file)
        }
        #expect(error.map { !$0.description.contains("hunter2") && !$0.reason.isEmpty } == true)
    }

    @Test("a key that is there twice is named with its place")
    func doubledKey() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "auth:\n  secret: a\n  secret: b\n")
        let error = #expect(throws: ConfigurationFileError.self) {
            try SettingValues.read(environment: [:], file: file)
        }
        #expect(error?.reason.contains("“secret” is there twice") == true)
        #expect(error?.reason.contains("line 2") == true)
    }

    /// Guard: a file of comments only is empty (`ConfigurationFile.read`)
    @Test(
        "a file of comments alone says nothing",
        arguments: ["# nothing yet\n", "", "---\n# nothing\n", "\n\n"])
    func comments(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", text)
        let values = try SettingValues.read(environment: ["DAYLY_HTTP_PORT": "9001"], file: file)
        #expect(values["http.port"]?.text == "9001" && values.unknown.isEmpty)
    }

    /// Guard: an unknown setting's name is shown up to where it could hold a value (`UnknownSetting.message`)
    @Test("an unknown name is told up to where it could hold a value")
    func unknownNameWithValue() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "auth.secret=hunter2:\n  x: 1\n")
        let values = try SettingValues.read(environment: [:], file: file)
        #expect(values.unknown.map(\.message).allSatisfy { $0.contains("auth.secret…") })
        #expect(values.unknown.count == 1 && !values.unknown[0].message.contains("hunter2"))
    }

    /// Guard: countries exist, an app's hash has eleven characters of base64 (`PhoneCountries.country`,
    /// `AuthSettings.androidHash`)
    @Test(
        "countries and the Android app's hash are looked at",
        arguments: [
            ("sms.countries", "DE,1,+49", true), ("sms.countries", "XX", false),
            ("sms.countries", "999", false),
            ("sms.countries", "0", false), ("sms.countries", "de", true), ("sms.countries", "883", true),
            ("sms.android_hash", "FA+9qCX9VSu", true), ("sms.android_hash", "FA+9qCX9VS", false),
            ("sms.android_hash", "FA+9qCX9VSu=", false), ("sms.android_hash", "FA+9qCX9VS\n", false),
        ])
    func textMessageSettings(_ key: String, _ text: String, _ isValid: Bool) throws {
        let setting = try #require(ServerConfiguration.declared.first { $0.key == key })
        #expect((setting.complaint(about: text) == nil) == isValid)
    }
}
