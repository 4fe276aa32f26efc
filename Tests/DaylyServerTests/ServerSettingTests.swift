import Foundation
import Testing

@testable import DaylyServer

@Suite("Settings")
struct SettingTests {
    /// A text that is not the default, for every setting.
    static func sample(_ setting: Setting) -> String {
        switch setting {
        case .environment: "development"
        case .storageKind: "s3"
        case .logFormat: "text"
        case .logLevel: "debug"
        case .smsKind: "console,twilio"
        case .pushKind: "apns,fcm"
        case .photosFormats: "jpeg,png"
        case .databaseURL: "postgresql://u:p@db.example/dayly"
        case .databaseMigrationsPath: Checkout.migrations
        default:
            switch setting.kind {
            case .text, .path: "some-text"
            case .secret(let minBytes): String(repeating: "x", count: minBytes)
            case .secrets(let minBytes): String(repeating: "x", count: minBytes)
            case .paths: "one.pem,two.pem"
            case .webURL: "https://\(setting.key.replacing("_", with: "-")).example"
            case .databaseURL: "postgresql://db.example/dayly"
            case .number(let range): String(range.lowerBound + 2)
            case .bytes: "3MiB"
            case .duration: "90s"
            case .flag: "false"
            case .choice(let allowed): allowed.last ?? ""
            case .choices(let allowed): allowed.joined(separator: ",")
            case .addresses: "10.0.0.0/8,::1"
            case .countries: "1,+49,DE"
            case .reviewers:
                "+14155550199=123456@"
                    + Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
            case .shape(let shape): Self.sample(of: shape)
            case .shapes(let shape): Self.sample(of: shape) + "," + Self.sample(of: shape)
            }
        }
    }

    static func sample(of shape: TextShape) -> String {
        let samples = [
            "ABCDE12345.com.example.dayly", "com.example.dayly", "ABCDE12345",
            Array(repeating: "A5", count: 32).joined(separator: ":"), "FA+9qCX9VSu",
        ]
        return samples.first(where: shape.matches) ?? "no sample of \(shape.name)"
    }

    @Test(
        "a key's variable is its upper-case form with DAYLY_ in front",
        arguments: [
            (Setting.s3PublicEndpoint, "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT"),
            (.s3Bucket, "DAYLY_STORAGE_S3_BUCKET"),
            (.authOTPResendAfter, "DAYLY_AUTH_OTP_RESEND_AFTER"),
            (.dataDirectory, "DAYLY_DATA_DIR"),
            (.environment, "DAYLY_ENVIRONMENT"),
        ])
    func variableNames(_ setting: Setting, _ variable: String) {
        #expect(setting.variable == variable)
    }

    @Test("every key is read from its environment variable", arguments: Setting.allCases)
    func fromEnvironment(_ setting: Setting) async throws {
        let text = Self.sample(setting)
        let values = try await SettingValues.read(environment: [setting.variable: text], file: nil)
        #expect(values.text(setting) == text)
        #expect(values.source(setting) == .environment)
        #expect(values.unknown.isEmpty)
    }

    @Test("every key is read from a YAML file, nested or dotted", arguments: Setting.allCases)
    func fromYAML(_ setting: Setting) async throws {
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
            let values = try await SettingValues.read(environment: [:], file: file)
            #expect(values.text(setting) == text)
            #expect(values.source(setting) == .file)
            #expect(values.unknown.isEmpty)
        }
    }

    @Test("every key is read from a JSON file", arguments: Setting.allCases)
    func fromJSON(_ setting: Setting) async throws {
        let folder = try TemporaryFolder()
        var value: Any = Self.sample(setting)
        for part in setting.key.split(separator: ".").reversed() { value = [String(part): value] }
        let json = try JSONSerialization.data(withJSONObject: value, options: .prettyPrinted)
        let file = try folder.write("dayly.json", String(decoding: json, as: UTF8.self))
        let values = try await SettingValues.read(environment: [:], file: file)
        #expect(values.text(setting) == Self.sample(setting))
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
            let values = try await SettingValues.read(environment: [:], file: file)
            #expect(values.text(.httpPort) == "9001")
            #expect(values.text(.httpTrustedProxies) == "10.0.0.7,::1")
            #expect(values.text(.enforceRates) == "false")
        }
    }

    @Test("the environment wins over the file, the file over the default")
    func precedence() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "http:\n  port: 9001\n  host: 0.0.0.0\n")
        let values = try await SettingValues.read(environment: ["DAYLY_HTTP_PORT": "9002"], file: file)
        #expect(values.text(.httpPort) == "9002")
        #expect(values.text(.httpHost) == "0.0.0.0")
        #expect(values.text(.httpAdminPort) == "9464")
        #expect(values.source(.httpPort) == .environment)
        #expect(values.source(.httpHost) == .file)
        #expect(values.source(.httpAdminPort) == .fallback)
    }

    @Test("an empty variable counts as not given")
    func emptyVariable() async throws {
        let values = try await SettingValues.read(
            environment: ["DAYLY_HTTP_PORT": "", "DAYLY_SMS_COUNTRIES": " "], file: nil)
        #expect(values.text(.httpPort) == "8080")
        #expect(values.text(.smsCountries) == nil)
    }

    @Test("unknown names are told, with the nearest one that is known")
    func unknownNames() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "storage:\n  s3:\n    buckt: x\n")
        let values = try await SettingValues.read(
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
        let error = await #expect(throws: ConfigurationFileError.self) {
            try await SettingValues.read(environment: [:], file: file)
        }
        #expect(error?.path == file)
    }

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
        let error = await #expect(throws: ConfigurationFileError.self) {
            try await SettingValues.read(environment: [:], file: file)
        }
        #expect(error.map { !$0.description.contains("hunter2") && !$0.reason.isEmpty } == true)
    }

    @Test("a key that stands twice is named with its place")
    func doubledKey() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "auth:\n  secret: a\n  secret: b\n")
        let error = await #expect(throws: ConfigurationFileError.self) {
            try await SettingValues.read(environment: [:], file: file)
        }
        #expect(error?.reason.contains("“secret” stands there twice") == true)
        #expect(error?.reason.contains("line 2") == true)
    }

    @Test(
        "a file of comments alone says nothing",
        arguments: ["# nothing yet\n", "", "---\n# nothing\n", "\n\n"])
    func comments(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", text)
        let values = try await SettingValues.read(environment: ["DAYLY_HTTP_PORT": "9001"], file: file)
        #expect(values.text(.httpPort) == "9001" && values.unknown.isEmpty)
    }

    @Test("an unknown name is told up to where it could hold a value")
    func unknownNameWithValue() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("dayly.yaml", "auth.secret=hunter2:\n  x: 1\n")
        let values = try await SettingValues.read(environment: [:], file: file)
        #expect(values.unknown.map(\.message).allSatisfy { $0.contains("auth.secret…") })
        #expect(values.unknown.count == 1 && !values.unknown[0].message.contains("hunter2"))
    }

    @Test(
        "countries and the Android app's hash are looked at",
        arguments: [
            (Setting.smsCountries, "DE,1,+49", true), (.smsCountries, "XX", false),
            (.smsCountries, "999", false),
            (.smsCountries, "0", false), (.smsCountries, "de", true), (.smsCountries, "883", true),
            (.smsAndroidHash, "FA+9qCX9VSu", true), (.smsAndroidHash, "FA+9qCX9VS", false),
            (.smsAndroidHash, "FA+9qCX9VSu=", false), (.smsAndroidHash, "FA+9qCX9VS\n", false),
        ])
    func textMessageSettings(_ setting: Setting, _ text: String, _ isFine: Bool) {
        #expect((setting.kind.complaint(about: text) == nil) == isFine)
    }

    @Test(
        "durations",
        arguments: [
            ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
            ("48h", .seconds(172_800)), ("7d", .seconds(604_800)), ("0s", .zero),
        ])
    func durations(_ text: String, _ duration: Duration) {
        #expect(SettingKind.duration(text) == duration)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "30", "s", "-5s", "5 m", "1.5h", "5y", "٣s", "99999999999s", "9223372036854775807d",
        ])
    func noDurations(_ text: String) {
        #expect(SettingKind.duration(text) == nil)
    }

    @Test("a list of secrets may hold commas, each after a backslash")
    func secretsWithCommas() {
        #expect(SettingKind.secrets(#"one\,two, three ,,four\five"#) == ["one,two", "three", #"four\five"#])
    }

    @Test(
        "sizes",
        arguments: [
            ("10485760", 10_485_760), ("10MiB", 10_485_760), ("512 KiB", 524_288), ("1GiB", 1_073_741_824),
            ("10MB", 10_000_000), ("3b", 3),
        ])
    func sizes(_ text: String, _ bytes: Int) {
        #expect(SettingKind.bytes(text) == bytes)
    }

    @Test(
        "what is no size is refused",
        arguments: ["", "MiB", "-1", "1.5MiB", "10XB", "9223372036854775807GiB"])
    func noSizes(_ text: String) {
        #expect(SettingKind.bytes(text) == nil)
    }
}
