import CProcess

/// How photos are decoded: where the worker is and what one photo may cost.
package struct ImageProcessorConfiguration: Sendable {
    /// The `photo-worker` executable.
    package var workerPath: String
    /// Workers that may run at the same time.
    package var maxConcurrent: Int
    /// Photos that wait for a worker when `ImageProcessor.isFull` says so. One sender has at most three quarters of it.
    package var queueSize: Int
    /// The number of pictures that may wait nevertheless, since they were on their way already; one more (and more than
    /// `queueSize`) is refused with `PhotoWorkerError.overloaded`.
    package var maxQueued: Int
    /// A worker that has not ended after this long is killed.
    package var wallClock: Duration
    /// CPU time of one worker (RLIMIT_CPU), in whole seconds.
    package var cpuSeconds: Int
    /// Address space of one worker (RLIMIT_AS). A 48-megapixel HEIC needs less than half of the default.
    package var memoryBytes: Int
    /// Largest picture that is decoded, in pixels.
    package var maxPixels: Int
    /// Longest side that is decoded, in pixels.
    package var maxSide: Int
    /// Most scans a progressive JPEG may have; each costs a pass over all pixels.
    package var maxScans: Int
    /// Long edge of the stored photo, in pixels; pictures are never enlarged.
    package var photoLongEdge: Int
    /// Long edge of the thumbnail, in pixels.
    package var thumbnailLongEdge: Int
    /// JPEG quality of both outputs, 1 to 100.
    package var quality: Int
    /// The formats that are decoded; any other is unsupported.
    package var formats: Set<PictureFormat>
    /// The behaviour where the kernel refuses the system call filter.
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
        /// Never.
        case required
        /// Where the kernel refuses it; the limits on memory, time and files hold nevertheless.
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
    /// The processors this process may use.
    package static var coreCount: Int { Int(process_core_count()) }

    /// `photo-worker` beside the given executable (by default the running one), where both the package manager
    /// and an installation put it.
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
