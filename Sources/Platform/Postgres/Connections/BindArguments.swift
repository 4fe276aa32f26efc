/// Parameters in the form that libpq takes.
struct BindArguments {
    private var storage: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    init(_ binds: [PostgresBind]) throws(PostgresError) {
        guard binds.count <= UInt16.max else { throw .decoding("more than 65,535 parameters") }
        for bind in binds {
            switch bind.value {
            case .refused(let error): throw error
            case .null: append(nil as [UInt8]?, format: 0)
            case .text(let text):
                append(text.utf8, format: 0)
                storage.append(0)
            case .binary(let bytes): append(bytes, format: 1)
            }
        }
        // Gives an empty value at the very end an address too.
        storage.append(0)
    }

    private mutating func append(_ bytes: (some Collection<UInt8>)?, format: Int32) {
        offsets.append(bytes == nil ? nil : storage.count)
        lengths.append(Int32(bytes?.count ?? 0))
        formats.append(format)
        if let bytes { storage.append(contentsOf: bytes) }
    }

    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, [Int32], [Int32], Int32) -> Result
    ) -> Result {
        storage.withUnsafeBytes { storage in
            let pointers = offsets.map { offset in
                offset.flatMap { storage.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return pointers.withUnsafeBufferPointer {
                body($0.baseAddress, lengths, formats, Int32(offsets.count))
            }
        }
    }
}
