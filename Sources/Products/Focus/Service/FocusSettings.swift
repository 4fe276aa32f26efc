import Settings
import StoreReceipts

/// The limits and switches of Focus.
package struct FocusSettings: SettingGroup {
    @Setting(
        "focus.counted_streaks", .number(0...1_000), default: "12",
        "The longest streaks of a day that count for its points; 0: all.")
    package var countedStreaks: Int

    @Setting(
        "focus.event_age", .wholeSeconds(60...604_800), default: "7d",
        "The oldest event of a phone that is accepted, at most 7 d.")
    package var eventAge: Int

    @Setting("focus.devices", .number(1...100), default: "5", "Phones of one user that report events.")
    package var devices: Int

    @Setting(
        "focus.shortcut_hold", .wholeSeconds(1...86_400), default: "3m",
        "The time after an unlock by Shortcuts from which the phone counts as locked, since such phones report no "
            + "locks."
    )
    package var shortcutHold: Int

    @Setting(
        "focus.temptations", .flag, default: "true",
        "Whether the service sends push messages that tempt people to end their streak.")
    package var hasTemptations: Bool

    @Setting(
        "focus.paid_sessions", .number(0...1_000), default: "20",
        "Sessions of one user that pay XP and coins on a local day.")
    package var paidSessions: Int

    @Setting("focus.league_size", .number(2...1_000), default: "30", "Seats of a league.")
    package var leagueSize: Int

    @Setting(
        "focus.tutorial_percent", .number(0...100), default: "100",
        "The share of users who are offered the tutorial, in percent.")
    package var tutorialPercent: Int

    @Setting(
        "focus.pro_products", .forms("product id", like: "com.example.pro.year", "[A-Za-z0-9_.-]{1,255}"),
        default: "", "The App Store products that give Focus Pro, comma-separated.")
    package var proProducts: [String]

    package init() {}

    /// The faults of several settings together.
    package func problems(isOffered: Bool, appStore: StoreReceiptSettings) -> [ConfigurationProblem] {
        guard !proProducts.isEmpty, appStore.$bundleID.isMissing else { return [] }
        return [ConfigurationProblem(appStore.$bundleID, "is missing, and focus.pro_products is given")]
    }
}
