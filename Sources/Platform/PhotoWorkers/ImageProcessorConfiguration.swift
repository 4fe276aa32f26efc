import CProcess
import Glibc
import Settings

/// The path of the worker, the number of workers and the limits for one photo.
package struct ImageProcessorConfiguration: SettingGroup {
    @Setting(
        "photos.worker_path", .path,
        default: .derived("`photo-worker` beside the executable, or in `../libexec/dayly`") { _ in
            defaultWorkerPath()
        },
        "The photo-worker program.")
    package var workerPath: String

    @Setting(
        "photos.workers", .number(1...1_024), default: .derived("one for each core") { _ in "\(coreCount)" },
        "Pictures decoded at a time.")
    package var maxConcurrent: Int

    /// The number of waiting photos at which `ImageProcessor.isFull` is true.
    @Setting(
        "photos.queue_size", .number(0...100_000), default: "64",
        "Pictures that may wait for a decoder, at most three quarters of them from one sender; beyond it "
            + "new uploads are answered 503 before their body is read."
    )
    package var queueSize: Int

    /// The time after which a worker is killed. It includes waiting for a core.
    package var wallClock: Duration = .seconds(15)

    /// RLIMIT_CPU.
    @Setting(
        "photos.worker_cpu", .wholeSeconds(1...600), default: "6s",
        "CPU time of one picture's decoder, in whole seconds.")
    package var cpuSeconds: Int

    /// RLIMIT_AS. A 48-megapixel HEIC needs less than half of it.
    package var memoryBytes = 1 << 30

    @Setting(
        "limits.upload_pixels", .number(1_000...1_000_000_000), default: "50000000",
        "The largest picture that is decoded, in pixels.")
    package var maxPixels: Int

    @Setting(
        "photos.formats", .choices(), default: "jpeg,png,heif,avif,webp",
        "The formats that are accepted; any other is 415.")
    package var formats: Set<PictureFormat>

    @Setting(
        "photos.sandbox", .choice, default: "required",
        "`optional`: where the kernel refuses the system call filter, decode without it, under the other "
            + "limits."
    )
    package var sandbox: Sandbox

    /// The number of photos that may wait in all, because some were on their way already when the queue became full. One
    /// more (beyond `queueSize` too) is refused with `PhotoWorkerError.overloaded`.
    package var maxQueued = 0
    /// The limit of a picture's longer side, in pixels.
    package var maxSide = 16_384
    /// The limit of scans in a progressive JPEG. Each scan costs a pass over all pixels.
    package var maxScans = 50
    /// The long edge of the stored photo, in pixels. A picture is never enlarged.
    package var photoLongEdge = 2048
    /// The long edge of the thumbnail, in pixels.
    package var thumbnailLongEdge = 480
    /// JPEG quality of both outputs, 1 to 100.
    package var quality = 80

    package init() {}

    package init(workerPath: String) {
        self.init()
        self.workerPath = workerPath
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

    /// The path of `photo-worker` near the given executable (by default the running one): beside it, where SwiftPM puts it,
    /// or `libexec/dayly` beside the executable's folder, where a package puts it.
    package static func defaultWorkerPath(
        executable: String? = nil, exists: (String) -> Bool = { access($0, X_OK) == 0 }
    ) -> String {
        let path = executable ?? runningExecutable()
        guard let slash = path.lastIndex(of: "/") else { return "photo-worker" }
        let beside = "\(path[...slash])photo-worker"
        guard !exists(beside), let above = path[..<slash].lastIndex(of: "/") else { return beside }
        let installed = "\(path[...above])libexec/dayly/photo-worker"
        return exists(installed) ? installed : beside
    }

    private static func runningExecutable() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = max(0, Int(process_executable_path(buffer.baseAddress, buffer.count)))
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }
}
