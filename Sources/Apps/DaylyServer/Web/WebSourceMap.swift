import HTTPKit

/// A source map (ECMA-426) of whole lines: each line of a bundle is a line of one of its sources.
struct WebSourceMap {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    private var mappings = ""
    private var line = 0
    private var source = 0
    private var sourceLine = 0

    /// - Parameter line: of the bundle, counted from 0, after those that were added before.
    mutating func add(line: Int, source: Int, sourceLine: Int) {
        mappings += String(repeating: ";", count: line - self.line)
        // The columns are 0. All but the first are given as differences.
        mappings +=
            "A" + Self.digits(of: source - self.source) + Self.digits(of: sourceLine - self.sourceLine) + "A"
        (self.line, self.source, self.sourceLine) = (line, source, sourceLine)
    }

    /// - Parameter sources: by their numbers, relative to the map.
    func document(file: String, sources: [String]) -> JSONValue {
        [
            "version": 3, "file": .string(file), "sources": .array(sources.map(JSONValue.string)),
            "names": [],
            "mappings": .string(mappings),
        ]
    }

    /// A number in groups of five bits, the lowest first, each a digit of base64. The lowest bit of all is the sign.
    private static func digits(of number: Int) -> String {
        var rest = number < 0 ? -number << 1 | 1 : number << 1
        var text = ""
        repeat {
            let low = rest & 31
            rest >>= 5
            text.append(digits[rest > 0 ? low | 32 : low])
        } while rest > 0
        return text
    }
}
