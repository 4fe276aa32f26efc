/// A module of the web client, taken apart for `WebBundle`: its imports, its exports, and its lines without both.
struct WebModule {
    enum Line {
        case code([UInt8])
        /// The names of an import as a pattern of destructuring, and the path of the imported module.
        case imports(String, path: String)
    }

    let path: String
    private(set) var lines: [Line] = []
    /// The paths of the imported modules in the folder.
    private(set) var imports: [String] = []
    /// The names that the module declares and exports.
    private(set) var exports: [String] = []
    /// The names that the module imports and exports again.
    private(set) var passedOn: [String] = []

    init(path: String, bytes: [UInt8]) throws(WebFolderError) {
        self.path = path
        var statement = ""
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard !statement.isEmpty || line.starts(with: "import ".utf8) || line.starts(with: "export ".utf8)
            else {
                lines.append(.code(relocated(Array(line))))
                continue
            }
            statement += String(decoding: line, as: UTF8.self)
            if Self.isDeclaration(statement) {
                lines.append(.code(try declared(statement)))
            } else if statement.contains(";") {
                lines.append(try joined(statement))
            } else {
                lines.append(.code([]))
                continue
            }
            statement = ""
        }
    }

    private static func isDeclaration(_ statement: String) -> Bool {
        statement.hasPrefix("export ") && !statement.hasPrefix("export {")
    }

    /// A declaration without `export`.
    private mutating func declared(_ statement: String) throws(WebFolderError) -> [UInt8] {
        let declaration = statement.dropFirst("export ".count)
        var words = declaration.split(separator: " ")[...]
        if words.first == "async" { words = words.dropFirst() }
        let name = words.dropFirst().first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" } ?? ""
        // A module that imports a variable would not see its later values.
        guard ["const", "function", "function*", "class"].contains(words.first), !name.isEmpty else {
            throw .notJoined(path, "exports something else than a function, a class or a constant")
        }
        exports.append(String(name))
        return relocated(Array(declaration.utf8))
    }

    /// A statement of imports or of exports, which both have no line of their own in the bundle.
    private mutating func joined(_ statement: String) throws(WebFolderError) -> Line {
        let names = Self.between("{", "}", of: statement)
        guard let imported = Self.quoted(in: statement).first else {
            passedOn += names.split(separator: ",").map { String($0.filter { $0 != " " }) }
            return .code([])
        }
        guard statement.hasPrefix("import {") || statement.hasPrefix("import \"") else {
            throw .notJoined(path, "has imports that are not names in braces")
        }
        let target = Self.path(imported, from: path)
        imports.append(target)
        return names.isEmpty ? .code([]) : .imports(names.replacing(" as ", with: ": "), path: target)
    }

    /// A line that finds modules and files from the top of the folder, where the bundle is, and not from the folder of its module.
    private func relocated(_ line: [UInt8]) -> [UInt8] {
        guard WebText.index(of: "import", in: line[...]) != nil else { return line }
        var text = String(decoding: line, as: UTF8.self)
            .replacing("import.meta.url", with: "new URL(\"./\(path)\", import.meta.url)")
        let addresses = text.split(separator: "import(\"", omittingEmptySubsequences: false).dropFirst()
        for imported in addresses.compactMap({ $0.split(separator: "\"").first }) {
            text = text.replacing(
                "import(\"\(imported)\"", with: "import(\"./\(Self.path(String(imported), from: path))\"")
        }
        return Array(text.utf8)
    }

    /// The path in the folder that a relative one means in a file.
    static func path(_ relative: String, from file: String) -> String {
        var folders = file.split(separator: "/").dropLast()
        for part in relative.split(separator: "/") where part != "." {
            if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// The texts that stand in double quotes.
    static func quoted(in text: String) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }
        .map { String($0.element) }
    }

    private static func between(_ first: Character, _ last: Character, of text: String) -> String {
        guard let begin = text.firstIndex(of: first), let end = text.firstIndex(of: last) else { return "" }
        return text[text.index(after: begin)..<end].split(separator: " ").joined(separator: " ")
    }
}
