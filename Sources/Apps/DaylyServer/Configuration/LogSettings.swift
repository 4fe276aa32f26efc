import Logging
import Settings

package struct LogSettings: SettingGroup {
    package enum Format: String, CaseIterable, Sendable {
        case json, text
    }

    @Setting("log.level", .choice, default: "info", "The least severe level that is logged.")
    package var level: Logger.Level

    @Setting(
        "log.format", .choice,
        default: .derived("`json`; `text` in development") { isDevelopment($0) ? "text" : "json" },
        "`json` for machines, `text` for people.")
    package var format: Format

    package init() {}
}
