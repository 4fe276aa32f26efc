import CProcess

/// The path of the worker, the number of workers and the limits for one photo.
package struct ImageProcessorConfiguration: Sendable {
    /// The `photo-worker` executable.
    package var workerPath: String
    /// The number of workers that run at the same time.
    package var maxConcurrent: Int
    /// The number of waiting photos at which `ImageProcessor.isFull` is true. One sender may have at most three quarters of
    /// them.
    package var queueSize: Int
    /// The number of photos that may wait in all, because some were on their way already when the queue became full. One
    /// more (beyond `queueSize` too) is refused with `PhotoWorkerError.overloaded`.
    package var maxQueued: Int
    /// The time after which a running worker is killed.
    package var wallClock: Duration
    /// CPU time of one worker (RLIMIT_CPU), in whole seconds.
    package var cpuSeconds: Int
    /// Address space of one worker (RLIMIT_AS). A 48-megapixel HEIC needs less than half of the default.
    package var memoryBytes: Int
    /// The size limit of a picture, in pixels.
    package var maxPixels: Int
    /// The limit of a picture's longer side, in pixels.
    package var maxSide: Int
    /// The limit of scans in a progressive JPEG. Each scan costs a pass over all pixels.
    package var maxScans: Int
    /// The long edge of the stored photo, in pixels. A picture is never enlarged.
    package var photoLongEdge: Int
    /// The long edge of the thumbnail, in pixels.
    package var thumbnailLongEdge: Int
    /// JPEG quality of both outputs, 1 to 100.
    package var quality: Int
    /// The formats that are decoded; any other is unsupported.
    package var formats: Set<PictureFormat>
    /// Whether pictures are decoded if the kernel refuses the system call filter.
    package var sandbox: Sandbox

    package init(
        workerPath: String,
        maxConcurrent: Int = ImageProcessorConfiguration.coreCount,
        queueSize: Int = 64,
        maxQueued: Int = 0,
        wallClock: Duration = .seconds(15),
        cpuSeconds: Int = 6,
        memoryBytes: Int = 1 << 30,
        maxPixels: Int = 50_000_000,
        maxSide: Int = 16_384,
        maxScans: Int = 50,
        photoLongEdge: Int = 2048,
        thumbnailLongEdge: Int = 480,
        quality: Int = 80,
        formats: Set<PictureFormat> = Set(PictureFormat.allCases),
        sandbox: Sandbox = .required
    ) {
        self.workerPath = workerPath
        self.maxConcurrent = maxConcurrent
        self.queueSize = queueSize
        self.maxQueued = maxQueued
        self.wallClock = wallClock
        self.cpuSeconds = cpuSeconds
        self.memoryBytes = memoryBytes
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxScans = maxScans
        self.photoLongEdge = photoLongEdge
        self.thumbnailLongEdge = thumbnailLongEdge
        self.quality = quality
        self.formats = formats
        self.sandbox = sandbox
    }

    /// Whether pictures are decoded without the system call filter.
    package enum Sandbox: String, CaseIterable, Sendable {
        /// Never without the filter.
        case required
        /// Without the filter if the kernel refuses it. The limits on memory, time and files apply nevertheless.
        case optional
    }
}

/// The picture formats that can be read.
package enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg, png, heif, avif, webp

    var code: photo_format {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .heif: .heif
        case .avif: .avif
        case .webp: .webp
        }
    }
}

extension ImageProcessorConfiguration {
    /// The number of processors that this process may use.
    package static var coreCount: Int { Int(process_core_count()) }

    /// The path of `photo-worker` beside the given executable (by default the running one), where both SwiftPM and an
    /// installation put it.
    package static func defaultWorkerPath(executable: String? = nil) -> String {
        let path = executable ?? runningExecutable()
        guard let slash = path.lastIndex(of: "/") else { return "photo-worker" }
        return path[...slash] + "photo-worker"
    }

    private static func runningExecutable() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = max(0, Int(process_executable_path(buffer.baseAddress, buffer.count)))
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }
}
