import HTTPKit
import Hummingbird

/// The two files that tell phones which app opens an invitation's link. Without a configured app the answer is 404.
struct AppAssociationRoutes: Sendable {
    let links: LinkSettings

    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/.well-known/apple-app-site-association") { _, _ in
            guard !links.iOSAppIDs.isEmpty else { throw Problem.notFound }
            return document(AppleAssociation(appIDs: links.iOSAppIDs))
        }
        router.get("/.well-known/assetlinks.json") { _, _ in
            guard let package = links.androidPackage else { throw Problem.notFound }
            return document([AssetLink(package: package, fingerprints: links.androidFingerprints)])
        }
    }

    /// Caches of Apple and Google fetch it now and then, without a token.
    private func document<Body: Encodable & Sendable>(_ body: Body) -> Reply<Body> {
        Reply(headers: [.cacheControl: "public, max-age=3600"], body)
    }
}

/// Apple, “Supporting associated domains”: links under /i/ open the app, and the app offers codes from SMS that name this
/// host.
private struct AppleAssociation: Encodable, Sendable {
    struct Applinks: Encodable, Sendable {
        let details: [Detail]
    }

    struct Detail: Encodable, Sendable {
        let appIDs: [String]
        /// Keyboards and messages write links in capitals.
        let components = [["/": "/i/*"], ["/": "/I/*"]]
    }

    struct WebCredentials: Encodable, Sendable {
        let apps: [String]
    }

    let applinks: Applinks
    let webcredentials: WebCredentials

    init(appIDs: [String]) {
        applinks = Applinks(details: [Detail(appIDs: appIDs)])
        webcredentials = WebCredentials(apps: appIDs)
    }
}

/// A statement of Digital Asset Links.
private struct AssetLink: Encodable, Sendable {
    struct Target: Encodable, Sendable {
        let namespace = "android_app"
        let packageName: String
        let fingerprints: [String]

        enum CodingKeys: String, CodingKey {
            case namespace
            case packageName = "package_name"
            case fingerprints = "sha256_cert_fingerprints"
        }
    }

    let relation = ["delegate_permission/common.handle_all_urls"]
    let target: Target

    init(package: String, fingerprints: [String]) {
        target = Target(packageName: package, fingerprints: fingerprints)
    }
}
