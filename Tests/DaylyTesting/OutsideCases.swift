import Foundation

/// Reads a file of `Tests/FromOutside`: inputs that people's devices, keyboards, networks and providers really send, each with
/// where it is known from and the right value.
/// - Parameter name: the file's name without its folder, such as `numbers.json`: one array of objects of type `Case`.
package func outsideCases<Case: Decodable>(_ name: String, of type: Case.Type = Case.self) throws -> [Case] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Case].self, from: Data(contentsOf: outsideFile(name)))
}

/// The place of a file or folder below `Tests/FromOutside`.
package func outsideFile(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "FromOutside").appending(path: name)
}
