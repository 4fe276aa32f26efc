/// Leaves out of modules and styles what only their readers need: comments at the beginning of a line, and indentation. Line
/// breaks stay, so that a line of a stack trace is a line of the file.
///
/// A template literal must therefore have no line that begins like a comment. `Tests/WebTests` compares both programs.
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
        guard isComment || line.starts(with: "/*".utf8) else { return line }
        let end = line.dropFirst(isComment ? 0 : 2).firstRange(of: Array("*/".utf8))
        isComment = end == nil
        return end.map { line[$0.upperBound...].drop(while: isBlank) } ?? []
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
