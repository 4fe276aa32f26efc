import HTTPKit

/// Joins the files that a first page needs into one, because a slow phone takes some milliseconds to ask for each.
///
/// A file at the top of the folder names them: `first.js` by `import`, `first.css` by `@import`. As they stand there, both are valid
/// without being joined. A joined module is a function that returns what the module exports. Its lines stay lines, so the source map
/// needs no columns. The page's import map (HTML Standard, "Import maps") leads every other module that imports a joined one to the bundle, so
/// that the page has each module once. Workers have no import map and take the modules themselves.
///
/// Modules are written as `deno fmt` leaves them. `WebFolderError.notJoined` names what cannot be joined.
struct WebBundle {
    static let moduleName = "first.js"
    static let styleName = "first.css"
    static let mapName = moduleName + ".map"

    /// The joined modules by their paths in the folder, each after those that it imports.
    private(set) var modules: [String] = []
    private var lines: [[UInt8]] = []
    private var map = WebSourceMap()
    private var begun: Set<String> = []
    /// The module that exports a name. The bundle exports them all, so there must be one for each name.
    private var exporters: [String: String] = [:]
    private let files: [String: [UInt8]]

    /// - Parameter files: as browsers get them, by their paths in the folder, with `first.js`, which has nothing but imports.
    init(files: [String: [UInt8]]) throws(WebFolderError) {
        self.files = files
        let first = try WebModule(path: Self.moduleName, bytes: files[Self.moduleName] ?? [])
        for imported in first.imports { try add(imported) }
        lines.append(Array("//# sourceMappingURL=\(Self.mapName)".utf8))
    }

    var text: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

    /// Leads a debugger from a line of the bundle to the line of a module.
    var sourceMap: JSONValue { map.document(file: Self.moduleName, sources: modules) }

    /// Adds a module after those that it imports, in the order of the language (ECMA-262, "Cyclic Module Records").
    private mutating func add(_ path: String) throws(WebFolderError) {
        guard begun.insert(path).inserted else { return }
        guard let bytes = files[path] else {
            throw .notJoined(path, "is imported by another module, but is not there")
        }
        let module = try WebModule(path: path, bytes: bytes)
        for imported in module.imports {
            try add(imported)
            // One that has begun and is not there yet imports this one.
            guard modules.contains(imported) else {
                throw .notJoined(path, "imports itself by way of \(imported)")
            }
        }
        for name in module.exports {
            if let other = exporters.updateValue(path, forKey: name) {
                throw .notJoined(path, "exports \(name), as \(other) does")
            }
        }
        append(module)
    }

    private mutating func append(_ module: WebModule) {
        let number = modules.count
        modules.append(module.path)
        append("const $\(number) = (() => {")
        for (at, line) in module.lines.enumerated() {
            switch line {
            case .code(let code): lines.append(code)
            case .imports(let names, let path):
                append("const { \(names) } = $\(modules.firstIndex(of: path) ?? 0);")
            }
            map.add(line: lines.count - 1, source: number, sourceLine: at)
        }
        append("return {\((module.exports + module.passedOn).joined(separator: ","))};")
        append("})();")
        guard !module.exports.isEmpty else { return }
        // Their own names would hide names of the browser, such as `fetch`, from all modules.
        append(
            "const { \(module.exports.map { "\($0): $\(number)\($0)" }.joined(separator: ", ")) } = $\(number);"
        )
        append("export { \(module.exports.map { "$\(number)\($0) as \($0)" }.joined(separator: ", ")) };")
    }

    private mutating func append(_ line: String) { lines.append(Array(line.utf8)) }

    /// The paths in the folder of the styles that are joined.
    static func styleNames(files: [String: [UInt8]]) -> [String] {
        WebModule.quoted(in: String(decoding: files[styleName] ?? [], as: UTF8.self))
            .map { WebModule.path($0, from: styleName) }
    }

    /// The joined styles, in the order of the `@import`s.
    static func styles(files: [String: [UInt8]]) throws(WebFolderError) -> [UInt8] {
        var joined: [UInt8] = []
        for name in styleNames(files: files) {
            guard let bytes = files[name] else {
                throw .notJoined(name, "is imported by \(styleName), but is not there")
            }
            joined += bytes + [UInt8(ascii: "\n")]
        }
        return joined
    }
}
