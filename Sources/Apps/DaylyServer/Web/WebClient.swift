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
    static let workersFolder = "worker/"
    static let bundleName = "first.js"
    /// The source map of a bundle, which `scripts/lib/web_bundle.py` has joined for a package. A folder as it is edited has none.
    static let mapName = "first.js.map"

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
    /// The shell before a page is filled in, and its headers.
    private let template: String
    private let headers: WebHeaders
    /// The modules by which each module beyond the bundle is complete.
    private let imports: [String: [String]]
    /// Nil: the folder has none, and the client does not work without a network.
    let worker: WebAsset?
    let manifest: WebAsset?
    /// By the path in the folder, without `icons/`.
    let icons: [String: WebAsset]
    /// The files below `/app/<version>/`, by their paths in the folder.
    let assets: [String: WebAsset]

    /// - Throws: `WebFolderError.noShell`, and the error of a source map that cannot be read.
    init(files: [String: [UInt8]], deployment: Deployment) throws {
        guard let shellText = files[Self.shellName] else { throw WebFolderError.noShell }
        let joined = try Self.joined(files)
        let early = String(decoding: files[Self.earlyName] ?? [], as: UTF8.self)
        let facts = try Self.json(.object(deployment.facts))
        // The import map names the version, so the version cannot have its hash in it.
        let policy = WebHeaders(bucketOrigin: deployment.bucketOrigin, scripts: [early]).policy
        let version = Self.version(files, facts + policy)
        let modules = files.keys.filter(Self.isModule).sorted()
        let kept = Self.kept(modules, joined: joined)
        let template = WebTemplate(
            version: version, early: early, imports: try Self.json(Self.importMap(joined, version)),
            config: try Self.json(
                .object(deployment.facts.merging(["version": .string(version)]) { $1 })),
            precache: try Self.json(.array(kept.map { .string(Self.path($0, version)) })))
        let headers = WebHeaders(
            bucketOrigin: deployment.bucketOrigin, scripts: [template.early, template.imports])
        func asset(_ name: String, _ bytes: [UInt8]?, _ fields: HTTPFields) -> WebAsset? {
            guard let bytes, let type = WebFileType(name: name[...]) else { return nil }
            return WebAsset(bytes, digest: Self.digest(bytes), type: type, headers: fields)
        }
        let open = template.shell(shellText)
        let page = Array(WebPage().filled(into: open).utf8)
        let fresh = headers.fields(cacheControl: "no-cache")
        guard let shell = asset(Self.shellName, page, fresh) else { throw WebFolderError.noShell }
        self.version = version
        self.shell = shell
        self.template = open
        self.headers = headers
        imports = Self.imports(files, joined: Set(joined))
        worker = asset(Self.workerName, files[Self.workerName].map(template.worker), fresh)
        manifest = asset(Self.manifestName, files[Self.manifestName], Self.hour)
        icons = files.reduce(into: [:]) { icons, file in
            guard file.key.hasPrefix(Self.iconsFolder) else { return }
            icons[String(file.key.dropFirst(Self.iconsFolder.count))] = asset(file.key, file.value, Self.hour)
        }
        assets = modules.reduce(into: [:]) { assets, name in
            let isShell = name == Self.shellName
            // The policy of a worker comes with its own file, and not from the page that starts it.
            let isConfined = isShell || name.hasPrefix(Self.workersFolder)
            assets[name] = asset(
                name, isShell ? page : files[name],
                isConfined
                    ? headers.fields(cacheControl: Self.immutable)
                    : [.cacheControl: Self.immutable])
        }
    }

    /// The shell for one address, as no cache may keep it and no search engine may list it.
    func page(_ page: WebPage) -> WebAsset {
        var fields = headers.fields(cacheControl: "private, no-store")
        fields[.robots] = "noindex, nofollow"
        fields[.contentTypeOptions] = "nosniff"
        let ahead = ahead(of: page.screens).map {
            "<link rel=\"modulepreload\" fetchpriority=\"low\" href=\"\(Self.path($0, version))\">\n"
        }.joined()
        // A module that is there before the import map has been read finds the modules of the bundle without it, and a page has them twice.
        let bytes = Array(page.filled(into: template.replacing("</head>", with: ahead + "</head>")).utf8)
        return WebAsset(bytes, digest: Self.digest(bytes), type: .html, headers: fields)
    }

    /// Modules, and those that they import, each once.
    private func ahead(of names: [String]) -> [String] {
        var found: [String] = []
        var waiting = names
        while let name = waiting.popLast() {
            guard !found.contains(name), let next = imports[name] else { continue }
            found.append(name)
            waiting += next
        }
        return found
    }

    private static func imports(_ files: [String: [UInt8]], joined: Set<String>) -> [String: [String]] {
        let modules = files.filter { $0.key.hasSuffix(".js") && !joined.contains($0.key) && isModule($0.key) }
        return modules.reduce(into: [:]) { all, module in
            let text = String(decoding: module.value, as: UTF8.self)
            all[module.key] = text.split(separator: "\n").filter {
                $0.hasPrefix("import ") || $0.hasPrefix("} from ")
            }
            .compactMap { Self.path(imported: $0, by: module.key) }
        }
    }

    /// The path in the folder of the module that a statement imports.
    private static func path(imported statement: Substring, by module: String) -> String? {
        let parts = statement.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        var folders = module.split(separator: "/").dropLast()
        for part in parts[1].split(separator: "/") where part != "." {
            if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    private struct SourceMap: Decodable {
        let sources: [String]
    }

    /// The modules that the bundle has in it, as its source map names them. A map that the bundle does not name was left behind by
    /// another version of the folder.
    private static func joined(_ files: [String: [UInt8]]) throws -> [String] {
        guard let bundle = files[bundleName],
            String(decoding: bundle.suffix(80), as: UTF8.self).contains("sourceMappingURL=\(mapName)")
        else { return [] }
        return try files[mapName].map { try JSONDecoder().decode(SourceMap.self, from: Data($0)).sources }
            ?? []
    }

    /// The import map of the page: whoever imports a joined module gets the bundle.
    private static func importMap(_ joined: [String], _ version: String) -> JSONValue {
        let bundle = JSONValue.string(path(bundleName, version))
        return [
            "imports": .object(Dictionary(uniqueKeysWithValues: joined.map { (path($0, version), bundle) }))
        ]
    }

    /// The files that the service worker keeps for the time without a network. A page has the joined ones in the bundle, and
    /// needs the source map only for a debugger. The one worker that a page starts, `worker/preparing.js`, imports no joined
    /// module.
    private static func kept(_ names: [String], joined: [String]) -> [String] {
        let others = Set(joined + [mapName])
        return names.filter { !others.contains($0) }
    }

    private static func path(_ name: String, _ version: String) -> String { "/app/\(version)/\(name)" }

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
    let imports: String
    let config: String
    let precache: String

    /// The configuration stands in an attribute.
    func shell(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("{{version}}", with: version)
            .replacing("{{early}}", with: early).replacing("{{imports}}", with: imports)
            .replacing("{{config}}", with: Page.escaped(config))
    }

    /// The list's word stands in quotes, so that the file is JavaScript without being filled in.
    func worker(_ bytes: [UInt8]) -> [UInt8] {
        Array(
            String(decoding: bytes, as: UTF8.self).replacing("{{version}}", with: version)
                .replacing("\"{{precache}}\"", with: precache).utf8)
    }
}
