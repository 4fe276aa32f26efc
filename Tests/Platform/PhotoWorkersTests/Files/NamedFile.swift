import Testing

/// A file as an argument of a test. The test program prints its name: printing its bytes would take a minute.
struct NamedFile: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }

    static func list(_ files: [(String, [UInt8])]) -> [NamedFile] {
        files.map { NamedFile(name: $0, bytes: $1) }
    }
}
