import CProcess

/// The limits of one picture and the sizes of its results, as the server asks.
package struct WorkerLimits {
    let maxPixels: Int
    let maxSide: Int
    let maxScans: Int
    let photoLongEdge: Int
    let thumbnailLongEdge: Int
    let quality: Int
    private let formats: Int
    /// Whether the worker enters its sandbox.
    package let isSandboxed: Bool

    /// The largest number of items and tiles in one HEIF file. A phone's 48-megapixel picture has some 250.
    static let maxItems = 1024

    /// The largest number of parts in which one item's data may lie; libheif reads no more.
    static let maxExtents = 32

    /// The largest depth of derived pictures in a HEIF file.
    static let maxDerivations = 3

    /// Takes six to eight decimal numbers in the order of photo_worker.h; nil for any other arguments.
    package init?(arguments: [String]) {
        let numbers = arguments.compactMap { Int($0) }
        guard (6...8).contains(arguments.count), numbers.count == arguments.count,
            numbers.prefix(7).allSatisfy({ $0 > 0 }), numbers[5] <= 100
        else { return nil }
        maxPixels = numbers[0]
        maxSide = numbers[1]
        maxScans = numbers[2]
        photoLongEdge = numbers[3]
        thumbnailLongEdge = numbers[4]
        quality = numbers[5]
        formats = numbers.count > 6 ? numbers[6] : .max
        isSandboxed = numbers.count < 8 || numbers[7] != 0
    }

    func allows(_ format: photo_format) -> Bool {
        formats & 1 << Int(format.rawValue) != 0
    }

    func check(width: Int, height: Int) throws(WorkerFailure) {
        guard width > 0, height > 0 else { throw .unreadable }
        guard width <= maxSide, height <= maxSide, width * height <= maxPixels else { throw .tooLarge }
    }
}
