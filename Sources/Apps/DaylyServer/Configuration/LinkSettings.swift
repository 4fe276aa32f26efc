import Settings

package struct LinkSettings: SettingGroup {
    @Setting(
        "links.download", .webURL, "The page where invitees get the app; by default the invitation page.")
    package var download: String?

    @Setting("links.app_store", .webURL, "The app's page in the App Store.")
    package var appStore: String?

    @Setting("links.play_store", .webURL, "The app's page in Google Play.")
    package var playStore: String?

    @Setting("links.privacy", .webURL, "The privacy policy, which the web client links to.")
    package var privacy: String?

    @Setting("links.terms", .webURL, "The terms of use, which the web client links to.")
    package var terms: String?

    @Setting(
        "links.ios_app_ids",
        .forms(
            "an app id (team id, dot, bundle id)", like: "ABCDE12345.com.example.dayly",
            #"[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"#),
        "The apps (team id, dot, bundle id) in `apple-app-site-association`: they open invitation links and "
            + "fill in SMS codes."
    )
    package var iOSAppIDs: [String]

    @Setting(
        "links.android_package",
        .form(
            "a package name", like: "com.example.dayly", #"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+"#),
        "The app in `assetlinks.json`; given together with the fingerprints.")
    package var androidPackage: String?

    @Setting(
        "links.android_fingerprints",
        .forms(
            "a SHA-256 fingerprint", like: "14:6D:E9:… (32 bytes in upper case, as keytool prints them)",
            "[0-9A-F]{2}(:[0-9A-F]{2}){31}"),
        "The SHA-256 of the app's signing certificates.")
    package var androidFingerprints: [String]

    package init() {}
}
