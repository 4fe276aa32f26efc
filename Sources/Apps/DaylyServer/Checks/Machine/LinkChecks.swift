/// Checks the links and identities of the apps in `links.*`. Without them an invitee cannot get the app, and the app does
/// not open invitations. With the web client an invitee needs no app.
struct LinkChecks: Sendable {
    let environment: ServerConfiguration.Environment
    let links: LinkSettings
    let hasWebClient: Bool

    func findings() -> [Finding] {
        guard environment == .production else { return [.skipped("links", "not needed in development")] }
        // An operator without apps of their own offers the web client, and misses nothing.
        if hasWebClient, !hasApps {
            return [.ok("links", "invitations open the web client; no apps are configured")]
        }
        let found = [stores, iOS, android].compactMap { $0 }
        return found.isEmpty ? [.ok("links", "the apps for iOS and Android are configured")] : found
    }

    private var hasApps: Bool {
        !links.iOSAppIDs.isEmpty || links.androidPackage != nil || links.download != nil
            || links.appStore != nil
            || links.playStore != nil
    }

    private var stores: Finding? {
        let missing = [
            (links.$appStore, links.appStore), (links.$playStore, links.playStore),
        ].filter { $0.1 == nil }.map(\.0.key)
        guard links.download == nil, !missing.isEmpty else { return nil }
        if missing.count == 2, hasWebClient { return nil }
        let remedy = "Set \(missing.joined(separator: " and ")) to the app's pages in the stores."
        return missing.count == 2
            ? .problem(
                "links",
                "no link leads to the app: links.download, links.app_store and links.play_store are missing",
                remedy: remedy + " Or set links.download to one page for all.")
            : .warning(
                "links", "\(missing[0]) is missing: the invitation page has no link to that store",
                remedy: remedy)
    }

    private var iOS: Finding? {
        guard links.iOSAppIDs.isEmpty else { return nil }
        return .warning(
            "links",
            "links.ios_app_ids is missing: iPhones open invitations in the browser and do not fill in codes",
            remedy: "Set it to the app's team ID, a dot and its bundle ID.")
    }

    private var android: Finding? {
        guard links.androidPackage == nil else { return nil }
        return .warning(
            "links",
            "links.android_package and links.android_fingerprints are missing: Android opens invitations in the "
                + "browser",
            remedy: "Set them to the app's package name and the SHA-256 of its signing certificate.")
    }
}
