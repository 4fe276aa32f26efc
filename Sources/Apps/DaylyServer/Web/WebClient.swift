import Crypto
import Foundation
import HTTPKit
import HTTPTypes

/// The web client of one version, ready to be served. The version is a hash of all that browsers get, so that a page of one
/// version never loads a file of another one.
struct WebClient: Sendable {
    static let shellName = "index.html"
    static let workerName = "sw.js"
    static let manifestName = "manifest.webmanifest"
    static let iconsFolder = "icons/"

    /// The script that stands in the shell, as a browser runs it before it has any other file.
    static let earlyName = "app/early.js"

    /// The facts of this deployment that the client gets.
    struct Deployment: Sendable {
        /// The origin of signed URLs of pictures; nil if it is the service's own.
        let bucketOrigin: String?
        /// For the shell's `dayly-config`, without the version.
        let facts: [String: JSONValue]
    }

    let version: String
    let shell: WebAsset
    /// Nil: the folder has none, and the client does not work without a network.
    let worker: WebAsset?
    let manifest: WebAsset?
    /// By the path in the folder, without `icons/`.
    let icons: [String: WebAsset]
    /// The files below `/app/<version>/`, by their paths in the folder.
    let assets: [String: WebAsset]

    /// - Throws: `WebFolderError.noShell`.
    init(files: [String: [UInt8]], deployment: Deployment) throws {
        guard let shellText = files[Self.shellName] else { throw WebFolderError.noShell }
        let early = files[Self.earlyName]
        let headers = WebHeaders(bucketOrigin: deployment.bucketOrigin, early: early)
        let facts = try Self.json(.object(deployment.facts))
        let version = Self.version(files, facts + headers.policy)
        let modules = files.keys.filter(Self.isModule).sorted()
        let template = WebTemplate(
            version: version, early: String(decoding: early ?? [], as: UTF8.self),
            config: try Self.json(
                .object(deployment.facts.merging(["version": .string(version)]) { $1 })),
            precache: try Self.json(
                .array(modules.map { .string("/app/\(version)/\($0)") })))
        func asset(_ name: String, _ bytes: [UInt8]?, _ fields: HTTPFields) -> WebAsset? {
            guard let bytes, let type = WebFileType(name: name[...]) else { return nil }
            return WebAsset(bytes, digest: Self.digest(bytes), type: type, headers: fields)
        }
        let page = template.shell(shellText)
        let fresh = headers.fields(cacheControl: "no-cache")
        guard let shell = asset(Self.shellName, page, fresh) else { throw WebFolderError.noShell }
        self.version = version
        self.shell = shell
        worker = asset(Self.workerName, files[Self.workerName].map(template.worker), fresh)
        manifest = asset(Self.manifestName, files[Self.manifestName], Self.hour)
        icons = files.reduce(into: [:]) { icons, file in
            guard file.key.hasPrefix(Self.iconsFolder) else { return }
            icons[String(file.key.dropFirst(Self.iconsFolder.count))] = asset(file.key, file.value, Self.hour)
        }
        assets = modules.reduce(into: [:]) { assets, name in
            let isShell = name == Self.shellName
            assets[name] = asset(
                name, isShell ? page : files[name],
                isShell
                    ? headers.fields(cacheControl: Self.immutable)
                    : [.cacheControl: Self.immutable])
        }
    }

    private static let immutable = "public, max-age=31536000, immutable"
    private static let hour: HTTPFields = [.cacheControl: "public, max-age=3600"]

    /// Whether a file is served below the version. The others have addresses that must not change, or stand in the shell.
    private static func isModule(_ name: String) -> Bool {
        name != workerName && name != manifestName && name != earlyName && !name.hasPrefix(iconsFolder)
    }

    private static func version(_ files: [String: [UInt8]], _ deployment: String) -> String {
        var hash = SHA256()
        hash.update(data: Data(deployment.utf8))
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            // The length comes before the bytes, so that two folders cannot be one text.
            hash.update(data: Data("\n\(name)\n\(bytes.count)\n".utf8))
            hash.update(data: bytes)
        }
        return String(hexadecimal(hash.finalize()).prefix(16))
    }

    private static func digest(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func json(_ value: JSONValue) throws -> String {
        String(decoding: try WireJSON.makeEncoder().encode(value), as: UTF8.self)
    }
}

/// Fills in the words of the two files that are templates.
private struct WebTemplate {
    let version: String
    let early: String
    let config: String
    let precache: String

    /// The configuration stands in an attribute.
    func shell(_ bytes: [UInt8]) -> [UInt8] {
        Array(
            String(decoding: bytes, as: UTF8.self).replacing("{{version}}", with: version)
                .replacing("{{early}}", with: early).replacing("{{config}}", with: Page.escaped(config)).utf8)
    }

    /// The list's word stands in quotes, so that the file is JavaScript without being filled in.
    func worker(_ bytes: [UInt8]) -> [UInt8] {
        Array(
            String(decoding: bytes, as: UTF8.self).replacing("{{version}}", with: version)
                .replacing("\"{{precache}}\"", with: precache).utf8)
    }
}
