import Settings

/// The app whose purchases count, and the authority that signs them.
package struct StoreReceiptSettings: SettingGroup {
    @Setting(
        "app_store.bundle_id",
        .form("a bundle id", like: "com.example.dayly", #"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"#),
        "The app's bundle id. Without it no purchase counts.")
    package var bundleID: String?

    @Setting(
        "app_store.root_certificates", .path,
        "A PEM file of the roots that sign purchases, in `development` only. The default is Apple Root CA - G3."
    )
    package var rootsPath: String?

    package init() {}
}
