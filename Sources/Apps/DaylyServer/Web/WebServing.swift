import CommandKit
import HTTPKit
import Logging
import ObjectStorage

/// Opens the web client that the configuration names.
enum WebServing {
    /// - Parameter pushKey: the public key for browsers' subscriptions.
    /// - Returns: nil if the client is switched off, or if it has no folder, which the log says.
    /// - Throws: `CommandFailure` if the folder cannot be read.
    static func source(
        _ configuration: ServerConfiguration, store: any ObjectStore, pushKey: String?, logger: Logger
    ) async throws -> WebClientSource? {
        let web = configuration.web
        guard web.isEnabled else { return nil }
        guard !web.$path.isMissing else {
            logger.warning(
                """
                the web client is not served, because the executable has no folder web near it; set web.path, or \
                web.enabled=false
                """)
            return nil
        }
        do {
            return try await WebClientSource(
                WebFolder(path: web.path, absent: absentFolders(configuration)),
                deployment: deployment(configuration, store, pushKey),
                isReread: configuration.environment == .development, logger: logger)
        } catch {
            throw CommandFailure(
                reason: "The folder of the web client, \(web.path), cannot be served: \(error).",
                remedy: web.$path.remedy)
        }
    }

    /// A deployment without a product serves no file of it.
    private static func absentFolders(_ configuration: ServerConfiguration) -> Set<String> {
        Set(Product.allCases.filter { !configuration.features.contains($0) }.map(\.rawValue))
    }

    private static func deployment(
        _ configuration: ServerConfiguration, _ store: any ObjectStore, _ pushKey: String?
    ) -> WebClient.Deployment {
        let links = configuration.links
        return WebClient.Deployment(
            bucketOrigin: foreignBucket(configuration, store),
            facts: [
                "development": .bool(configuration.environment == .development),
                "origin": .string(configuration.http.origin),
                "features": .array(configuration.features.map(\.rawValue).sorted().map(JSONValue.string)),
                "limits": [
                    "groups_per_user": .int(configuration.groups.groupsPerUser),
                    "members_per_group": .int(configuration.groups.membersPerGroup),
                    "upload_bytes": .int(configuration.photos.uploadBytes),
                ],
                "photo_lifetime": .int(Int(configuration.photos.lifetime.components.seconds)),
                // Without one the service sends no message to a browser.
                "push_key": text(pushKey),
                "links": [
                    "privacy": text(links.privacy), "terms": text(links.terms),
                    "app_store": text(links.appStore), "play_store": text(links.playStore),
                    "download": text(links.download),
                ],
            ])
    }

    /// The origin of signed URLs of pictures; nil if it is the service's own.
    static func foreignBucket(
        _ configuration: ServerConfiguration, _ store: any ObjectStore
    ) -> String? {
        let bucket = (store as? S3ObjectStore).map { HTTPSettings.origin(of: $0.publicURL) }
        return bucket == configuration.http.origin ? nil : bucket
    }

    private static func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
}
