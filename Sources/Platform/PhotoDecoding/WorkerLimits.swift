/// What one picture may be and what is made of it, as the server asks.
package struct WorkerLimits {
    let maxPixels: Int
    let maxSide: Int
    let maxScans: Int
    let photoLongEdge: Int
    let thumbnailLongEdge: Int
    let quality: Int

    /// Items and tiles of one HEIF file; a 48-megapixel picture of a phone has some 250.
    static let maxItems = 1024

    /// Six decimal numbers in the order of photo_worker.h; nil for anything else.
    package init?(arguments: [String]) {
        let numbers = arguments.compactMap { Int($0) }
        guard arguments.count == 6, numbers.count == 6, numbers.allSatisfy({ $0 > 0 }), numbers[5] <= 100
        else { return nil }
        maxPixels = numbers[0]
        maxSide = numbers[1]
        maxScans = numbers[2]
        photoLongEdge = numbers[3]
        thumbnailLongEdge = numbers[4]
        quality = numbers[5]
    }

    func check(width: Int, height: Int) throws(WorkerFailure) {
        guard width > 0, height > 0 else { throw .unreadable }
        guard width <= maxSide, height <= maxSide, width * height <= maxPixels else { throw .tooLarge }
    }
}
