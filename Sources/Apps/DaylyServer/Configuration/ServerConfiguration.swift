import Auth
import DailyPhotos
import Events
import Foundation
import Groups
import Logging
import Messaging
import ObjectStorage
import PhotoWorkers
import Push
import RateLimiting
import Restoration
import Settings
import StoreReceipts

/// All settings of the service, each declared by the part that uses it. `ServerConfiguration(values:)` reads and checks
/// them once.
package struct ServerConfiguration: SettingGroup {
    package enum Environment: String, CaseIterable, Sendable {
        case production, development
    }

    @Setting(
        "environment", .choice, default: "production",
        "`development` allows plain http and the console as SMS gateway, and makes keys and secrets once "
            + "under `data_dir`."
    )
    package var environment: Environment

    @Setting(
        "data_dir", .path,
        default: .derived("`/var/lib/dayly`; `.dayly/data` in development") {
            isDevelopment($0) ? ".dayly/data" : "/var/lib/dayly"
        },
        "The folder of what `development` makes, and of `storage.path`; made if absent.")
    package var dataDirectory: String

    @Setting(
        "features", .choices(),
        default: .derived("`photos`; all in development") {
            isDevelopment($0) ? Product.allCases.map(\.rawValue).joined(separator: ",") : "photos"
        },
        "The products that are offered, comma-separated: "
            + Product.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            + ". One that is left out has no calls. Without `photos`, photos that were sent before are still forgotten in time."
    )
    package var features: Set<Product>

    package var http = HTTPSettings()
    package var web = WebSettings()
    package var database = DatabaseSettings()
    package var storage = StorageSettings()
    package var sms = SMSSettings()
    package var push = PushSettings()
    package var secrets = SecretSettings()
    package var auth = AuthSettings()
    package var rates = RateSettings()
    package var groups = GroupSettings()
    package var photos = PhotoSettings()
    package var decoder = ImageProcessorConfiguration()
    package var restore = RestoreGuard.Settings()
    package var events = EventSettings()
    package var products = ProductSettings()
    package var appStore = StoreReceiptSettings()
    package var links = LinkSettings()
    package var log = LogSettings()

    package init() {}

    /// - Parameter purpose: a setting that it does not need may be missing or wrong, and then has its default.
    /// - Throws: `ConfigurationProblems` with all that is wrong.
    package init(values: SettingValues, for purpose: Purpose = .service) throws(ConfigurationProblems) {
        let source = SettingSource(values)
        self = SettingSource.$current.withValue(source) { ServerConfiguration() }
        // A malformed setting is not judged again.
        let malformed = Set(source.problems.map(\.key))
        let problems = (source.problems + ruleProblems.filter { !malformed.contains($0.key) })
            .filter { purpose.needs($0.key) }
        guard problems.isEmpty else { throw ConfigurationProblems(problems: problems) }
        auth.host = URL(string: http.publicURL)?.host ?? auth.host
        auth.browsers = BrowserSessions(origin: http.origin, isSecure: environment == .production)
        events.endsGradually = http.drainDelay > .zero
        rates.messages.isForOneCallingCode = auth.countries.count == 1
        // An upload whose body has been read keeps its turn, because its client would have to send all of it again.
        decoder.maxQueued = http.maxUploads
        // Whoever grants a picture more CPU time grants it the time to use it, which includes waiting for a core.
        decoder.wallClock = max(decoder.wallClock, .seconds(decoder.cpuSeconds) * 5 / 2)
        restore.prefix = BucketLayout.journal
    }

    /// Reads and checks.
    package static func load(environment: [String: String], file: String?) throws -> ServerConfiguration {
        try ServerConfiguration(values: try SettingValues.read(environment: environment, file: file))
    }

    /// Every setting, in sections by the first part of its key.
    package static let declared: [DeclaredSetting] = {
        let recorder = SettingSource()
        _ = SettingSource.$current.withValue(recorder) { ServerConfiguration() }
        var sections: [String] = []
        for setting in recorder.declared where !sections.contains(setting.section) {
            sections.append(setting.section)
        }
        return sections.flatMap { section in recorder.declared.filter { $0.section == section } }
    }()
}

extension DeclaredSetting {
    /// The first part of the key. Empty: the key has no parts.
    var section: String { key.firstIndex(of: ".").map { String(key[..<$0]) } ?? "" }
}

/// Whether the configuration is one for development, for defaults that depend on it.
func isDevelopment(_ text: (String) -> String?) -> Bool {
    text("environment") == ServerConfiguration.Environment.development.rawValue
}
