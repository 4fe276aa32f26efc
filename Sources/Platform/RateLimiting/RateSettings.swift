import Settings

package struct RateSettings: SettingGroup {
    @Setting(
        "limits.enforce_rates", .flag, default: "true",
        "`false`, in development only, switches off everything that is counted over time.")
    package var isEnforced: Bool

    package var messages = MessageCeiling.Limits()

    package init() {}
}
