/// The name of an object: components separated by `/`, as in a path. The rules are the same for every kind of store.
///
/// A key has at most 1,024 bytes of UTF-8. A component is not empty, is not `.` or `..`, has at most 255 bytes and holds
/// no NUL. So one key means one file on a file system and one object on every S3 server, and no key leads out of the
/// store.
package struct ObjectKey: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package static let maxBytes = 1_024
    package static let maxComponentBytes = 255

    package let rawValue: String

    /// `nil` when `rawValue` breaks a rule of the type.
    package init?(rawValue: String) {
        guard Self.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// - Throws: ``ObjectStoreError/rejected(_:culprit:)`` when `string` breaks a rule of the type.
    package init(_ string: String) throws(ObjectStoreError) {
        guard Self.isValid(string) else { throw .rejected("an object key is malformed") }
        self.rawValue = string
    }

    /// A key from a listing, unchecked. Other programs may have put objects into the bucket under names that break the
    /// rules; an audit must see and delete these too. ``FilesystemObjectStore`` checks every key again.
    init(listed string: String) {
        self.rawValue = string
    }

    package var description: String { rawValue }

    /// Compares bytes, as stores do. `String` would treat a composed and a decomposed é as equal.
    package static func == (left: ObjectKey, right: ObjectKey) -> Bool {
        var (left, right) = (left.rawValue, right.rawValue)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    static func isValid(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { bytes in
            guard bytes.count <= maxBytes else { return false }
            var (length, dots) = (0, 0)
            func endsComponent() -> Bool {
                defer { (length, dots) = (0, 0) }
                let isEmptyOrFolder = length == dots && length <= 2
                return !isEmptyOrFolder && length <= maxComponentBytes
            }
            for byte in bytes {
                switch byte {
                case 0: return false
                case UInt8(ascii: "/"): if !endsComponent() { return false }
                default:
                    length += 1
                    if byte == UInt8(ascii: ".") { dots += 1 }
                }
            }
            return endsComponent()
        }
    }
}

extension ObjectKey: ExpressibleByStringLiteral {
    /// For constants in the source. A malformed constant is a programming error and stops the process.
    package init(stringLiteral value: StaticString) {
        let string = value.description
        precondition(Self.isValid(string), "malformed object key")
        self.rawValue = string
    }
}
