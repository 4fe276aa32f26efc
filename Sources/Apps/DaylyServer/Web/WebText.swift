/// Leaves out of modules and styles what only their readers need: comments at the beginning of a line, comments of JSDoc
/// wherever they are, and indentation. Line breaks stay, so that a line of a stack trace is a line of the file.
///
/// A string must therefore not have `/**` in it, and a template literal no line that begins like a comment. `Tests/WebTests`
/// compares both programs.
enum WebText {
    private static let newline = UInt8(ascii: "\n")

    /// The bytes of a file as browsers get them.
    static func served(_ bytes: [UInt8], name: String) -> [UInt8] {
        guard name.hasSuffix(".js") || name.hasSuffix(".css") else { return bytes }
        var isComment = false
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false).map {
            code(in: $0.drop(while: isBlank), isComment: &isComment)
        }
        return Array(lines.joined(separator: [newline]))
    }

    /// - Parameters:
    ///   - line: without its indentation.
    ///   - isComment: whether a comment goes on over the beginning of the line, and afterwards over its end.
    private static func code(in line: ArraySlice<UInt8>, isComment: inout Bool) -> ArraySlice<UInt8> {
        if !isComment && line.starts(with: "//".utf8) { return [] }
        var code: ArraySlice<UInt8> = []
        var rest = line
        if !isComment && line.starts(with: "/*".utf8) {
            isComment = true
            rest = line.dropFirst(2)
        }
        while true {
            if isComment {
                guard let end = index(of: "*/", in: rest) else { return code }
                isComment = false
                rest = rest[end...].dropFirst(2).drop(while: isBlank)
            }
            guard let begin = index(of: "/**", in: rest) else { return code + rest }
            code += rest[..<begin]
            rest = rest[begin...].dropFirst(2)
            isComment = true
        }
    }

    /// Where a mark begins. `firstRange(of:)` takes ten times as long, and a start of the service waits for this.
    static func index(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let first = mark.utf8.first
        return bytes.indices.first { bytes[$0] == first && bytes[$0...].starts(with: mark.utf8) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
