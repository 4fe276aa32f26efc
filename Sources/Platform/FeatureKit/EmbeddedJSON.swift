import Foundation

/// Reads JSON that was embedded when this was built. Tests read each file, so that a fault in one cannot reach a release.
package func embedded<Value: Decodable>(_ json: UnsafePointer<CChar>, as type: Value.Type = Value.self)
    -> Value
{
    do {
        return try JSONDecoder().decode(type, from: Data(String(cString: json).utf8))
    } catch {
        fatalError("An embedded file is not a \(type): \(error)")
    }
}
