import CProcess
import Glibc

/// How one run of the worker ended, as metrics and the log tell it.
enum WorkerOutcome: Sendable {
    case processed(ProcessedImage)
    case unsupported
    case unreadable
    case tooLarge
    /// Ended, or was ended, by the memory, CPU or time that one picture may cost.
    case memoryLimit, cpuLimit, timeLimit
    /// Died of a signal or ended as no worker does.
    case crashed(signal: Int, exitCode: Int)
    /// Ended well and left something that is no answer.
    case invalidAnswer
    case unavailable(String)
    case cancelled

    init(of end: process_end, answer: () -> ProcessedImage?) {
        func ended(_ exit: photo_worker_exit) -> Bool { end.exit_code == Int32(exit.rawValue) }
        if ended(.done) {
            self = answer().map(Self.processed) ?? .invalidAnswer
        } else if ended(.unsupported) {
            self = .unsupported
        } else if ended(.unreadable) {
            self = .unreadable
        } else if ended(.tooLarge) {
            self = .tooLarge
        } else if ended(.outOfMemory) {
            self = .memoryLimit
        } else if ended(.notSetUp) {
            self = .unavailable("the photo worker could not set up its sandbox")
        } else if end.exit_code == Self.notLinked {
            self = .unavailable("the photo worker could not load its libraries")
        } else if end.signal == SIGXCPU {
            self = .cpuLimit
        } else {
            self = .crashed(signal: Int(end.signal), exitCode: Int(end.exit_code))
        }
    }

    /// The dynamic linker's exit code.
    private static let notLinked: Int32 = 127

    var label: String {
        switch self {
        case .processed: "ok"
        case .unsupported: "unsupported"
        case .unreadable: "unreadable"
        case .tooLarge: "too_large"
        case .memoryLimit: "memory_limit"
        case .cpuLimit: "cpu_limit"
        case .timeLimit: "time_limit"
        case .crashed: "crashed"
        case .invalidAnswer: "invalid_answer"
        case .unavailable: "unavailable"
        case .cancelled: "cancelled"
        }
    }

    /// Whether somebody should look into it: a hostile picture, a defect of a codec or of the set-up.
    var isSuspicious: Bool {
        switch self {
        case .processed, .unsupported, .unreadable, .tooLarge, .cancelled: false
        default: true
        }
    }

    func get() throws -> ProcessedImage {
        switch self {
        case .processed(let image): return image
        case .unsupported: throw ImagingError.unsupportedFormat
        case .tooLarge: throw ImagingError.tooLarge
        case .unreadable, .memoryLimit, .cpuLimit, .timeLimit, .crashed, .invalidAnswer:
            throw ImagingError.unreadable
        case .unavailable(let reason): throw ImagingError.unavailable(reason)
        case .cancelled: throw CancellationError()
        }
    }
}
