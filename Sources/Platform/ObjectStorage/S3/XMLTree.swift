/// The part of XML that S3 uses: elements and text. The reader removes namespace prefixes from names and skips
/// attributes. It refuses everything else (a DTD, unknown entities, an unclosed element, text after the end), so it never
/// takes a truncated body or HTML for a result.
struct XMLTree: Sendable, Hashable {
    let name: String
    /// The text directly inside the element, with entities resolved.
    let text: String
    let children: [XMLTree]

    static let maxDepth = 16

    /// `nil` unless `bytes` are one well-formed element.
    init?(_ bytes: some Sequence<UInt8>) {
        var reader = XMLReader(bytes: Array(bytes))
        guard let root = reader.readDocument() else { return nil }
        self = root
    }

    fileprivate init(name: String, text: String, children: [XMLTree]) {
        self.name = name
        self.text = text
        self.children = children
    }

    func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

    /// The text of the first child with this name.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }
}

extension XMLTree {
    private static func isEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        default: false
        }
    }

    static func escape(_ text: String) -> String {
        // Most keys need no escape, and a request may hold a thousand of them.
        guard text.utf8.contains(where: isEscaped) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

private struct XMLReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func readDocument() -> XMLTree? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard skipMiscellany(), let root = readElement(depth: 0), skipMiscellany(), position == bytes.count
        else { return nil }
        return root
    }

    private mutating func readElement(depth: Int) -> XMLTree? {
        guard depth < XMLTree.maxDepth, take("<"), let name = readName(), let isEmpty = finishTag() else {
            return nil
        }
        if isEmpty { return XMLTree(name: local(name), text: "", children: []) }
        var text: [UInt8] = []
        var children: [XMLTree] = []
        while position < bytes.count {
            if let run = takePlainText() {
                text += run
            } else if take("</") {
                guard let end = readName(), bytes[end] == bytes[name], skipBlanks(), take(">"),
                    let string = String(validating: text, as: UTF8.self)
                else { return nil }
                return XMLTree(name: local(name), text: string, children: children)
            } else if take("<!--") {
                guard skip(past: "-->") else { return nil }
            } else if take("<![CDATA[") {
                let start = position
                guard skip(past: "]]>") else { return nil }
                text += bytes[start..<position - 3]
            } else if bytes[position] == UInt8(ascii: "<") {
                guard let child = readElement(depth: depth + 1) else { return nil }
                children.append(child)
            } else {
                guard take("&"), let character = readEntity() else { return nil }
                text += String(character).utf8
            }
        }
        return nil
    }

    /// The bytes before the next markup; `nil` when there are none.
    private mutating func takePlainText() -> ArraySlice<UInt8>? {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<"),
            bytes[position] != UInt8(ascii: "&")
        {
            position += 1
        }
        return position > start ? bytes[start..<position] : nil
    }

    /// Skips the attributes after the name. Returns whether the element is empty (`/>`); `nil` when the tag is malformed.
    private mutating func finishTag() -> Bool? {
        while skipBlanks(), position < bytes.count {
            if take("/>") { return true }
            if take(">") { return false }
            guard readName() != nil, skipBlanks(), take("="), skipBlanks(), skipQuoted() else { return nil }
        }
        return nil
    }

    private mutating func skipQuoted() -> Bool {
        for quote in ["\"", "'"] where take(quote) { return skip(past: quote) }
        return false
    }

    /// Reads the rest of an entity after its ampersand.
    private mutating func readEntity() -> Character? {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[position..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let code =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }

    /// The position of the name in the bytes.
    private mutating func readName() -> Range<Int>? {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        return position > start ? start..<position : nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: ":")
    }

    /// The name without the prefix of its namespace.
    private func local(_ name: Range<Int>) -> String {
        let name = bytes[name]
        guard name.contains(UInt8(ascii: ":")) else { return String(decoding: name, as: UTF8.self) }
        return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
    }

    /// Skips blanks, comments and the declaration; false for a DTD or a processing instruction left open.
    private mutating func skipMiscellany() -> Bool {
        while skipBlanks() {
            if take("<?") {
                guard skip(past: "?>") else { return false }
            } else if take("<!--") {
                guard skip(past: "-->") else { return false }
            } else {
                return true
            }
        }
        return true
    }

    /// Always returns true, so that it may be part of a condition.
    private mutating func skipBlanks() -> Bool {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        var end = position
        for byte in text.utf8 {
            guard end < bytes.count, bytes[end] == byte else { return false }
            end += 1
        }
        position = end
        return true
    }

    private mutating func skip(past text: String) -> Bool {
        while position < bytes.count {
            if take(text) { return true }
            position += 1
        }
        return false
    }
}
