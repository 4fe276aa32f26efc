import Settings

package struct WebSettings: SettingGroup {
    @Setting("web.enabled", .flag, default: "true", "Whether the web client is served at `/`.")
    package var isEnabled: Bool

    @Setting(
        "web.path", .path,
        default: .derived("`web` near the executable, or `Sources/Web` of a checkout") { _ in
            Surroundings.webPath()
        },
        "The folder of the web client. Without one the client is not served.",
        remedy: "Set it to the folder web that came with this version, or set web.enabled=false.")
    package var path: String

    package init() {}
}
