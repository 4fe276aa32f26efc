import CResources

extension [UInt8] {
    /// The bytes of an embedded file.
    init(_ file: resource) {
        self.init(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
