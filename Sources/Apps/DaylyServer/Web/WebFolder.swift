import Foundation

/// The folder of the web client's files, as they are edited and released.
struct WebFolder: Sendable {
    /// Far more than a client has, so that a folder named by mistake is refused instead of read into memory.
    private static let maxBytes = 32 << 20

    /// The size and the time of change of each file. Equal stamps mean that no file has changed.
    struct Stamp: Sendable, Equatable {
        fileprivate var files: [String: [Int]] = [:]
    }

    let path: String

    /// The names of folders that are left out, wherever they are. A folder that is named like a product holds what that product
    /// alone needs.
    var absent: Set<String> = []

    /// Whether a path is a folder of a web client.
    static func isOne(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/" + WebClient.shellName)
    }

    /// The files that the client consists of, as browsers get them, by their paths in the folder.
    ///
    /// - Throws: `WebFolderError`, and the errors of reading.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var total = 0
        for name in try names() {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
            total += bytes.count
            guard total <= Self.maxBytes else { throw WebFolderError.tooLarge(maxBytes: Self.maxBytes) }
            files[name] = bytes
        }
        return files
    }

    func stamp() throws -> Stamp {
        var stamp = Stamp()
        for name in try names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            stamp.files[name] = [(attributes[.size] as? Int) ?? 0, Int(changed * 1_000_000)]
        }
        return stamp
    }

    private func names() throws -> [String] {
        guard Self.isOne(path) else { throw WebFolderError.noShell }
        return try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            Self.isPartOfClient($0) && !isAbsent($0)
        }
    }

    private func isAbsent(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { absent.contains(String($0)) }
    }

    /// Leaves out hidden files, tests, documents and everything that configures tools: JSON at the top, declarations of types.
    private static func isPartOfClient(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }),
            path.utf8.allSatisfy(isPlain), WebFileType(name: name) != nil, !name.hasSuffix(".test.js")
        else { return false }
        return parts.count > 1 || !name.hasSuffix(".json")
    }

    /// Whether a URL may hold the character without escaping it. Editors' backup files have others.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// The folder cannot be served. The descriptions end a sentence that starts with the folder.
enum WebFolderError: Error, CustomStringConvertible {
    case noShell
    case tooLarge(maxBytes: Int)

    var description: String {
        switch self {
        case .noShell: "has no \(WebClient.shellName)"
        case .tooLarge(let maxBytes): "holds more than \(maxBytes >> 20) MiB"
        }
    }
}
