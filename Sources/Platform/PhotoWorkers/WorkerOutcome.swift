import CProcess
import Glibc

/// The end of one run of the worker, as in metrics and in the log.
enum WorkerOutcome: Sendable {
    case processed(ProcessedImage)
    case unsupported
    case unreadable
    case tooLarge
    /// The worker exceeded the memory, CPU time, wall-clock time or threads that one picture may use.
    case memoryLimit, cpuLimit, timeLimit, threadLimit
    /// The worker died from a signal or ended with an unknown exit code.
    case crashed(signal: Int, exitCode: Int)
    /// The worker reported success, but its answer is not valid.
    case invalidAnswer
    /// Another process or the kernel killed the worker while it was within its limits: an operator did, or the machine ran
    /// out of memory. The picture is not at fault.
    case killed
    /// The machine gave the worker too little CPU time. The picture is not at fault.
    case starved
    case sandboxRefused
    /// The worker said that it could not begin.
    case unready(exitCode: Int, reason: String)
    /// No worker could be started.
    case unavailable(String)
    case cancelled

    init(
        of end: process_end, report: WorkerRun.Report, limits: ImageProcessorConfiguration,
        answer: () -> ProcessedImage?
    ) {
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
            self = .unready(
                exitCode: Int(end.exit_code), reason: "the photo worker was not set up as it expects")
        } else if ended(.sandboxRefused) {
            self = .sandboxRefused
        } else if end.exit_code == Self.notLinked {
            self = .unready(
                exitCode: Int(end.exit_code), reason: "the photo worker could not load its libraries")
        } else if end.signal == SIGXCPU
            || end.signal == SIGKILL && report.cpuSeconds >= Double(limits.cpuSeconds)
        {
            self = .cpuLimit
        } else if end.signal == SIGKILL {
            // A worker cannot send itself SIGKILL, so it was killed from outside.
            self = report.peakMemoryBytes > limits.memoryBytes / 2 ? .memoryLimit : .killed
        } else {
            self = .crashed(signal: Int(end.signal), exitCode: Int(end.exit_code))
        }
    }

    /// The outcome of a worker that its time ran out for. If it still wanted to run and had been given less than half of
    /// that time, other processes kept the processors busy. If all its threads slept, it would never have ended.
    init(overdueAfter cpuSeconds: Double, wasAwake: Bool, limits: ImageProcessorConfiguration) {
        let share = cpuSeconds / (limits.wallClock / .seconds(1))
        self = wasAwake && share < 0.5 ? .starved : .timeLimit
    }

    /// The dynamic linker's exit code.
    private static let notLinked: Int32 = 127

    /// The exit code by which the worker blames the service and not the picture; nil if it does not. A worker that the picture
    /// has taken over can end with any exit code.
    var blamingExitCode: Int? {
        switch self {
        case .sandboxRefused: Int(photo_worker_exit.sandboxRefused.rawValue)
        case .unready(let exitCode, _): exitCode
        default: nil
        }
    }

    var label: String {
        switch self {
        case .processed: "ok"
        case .unsupported: "unsupported"
        case .unreadable: "unreadable"
        case .tooLarge: "too_large"
        case .memoryLimit: "memory_limit"
        case .cpuLimit: "cpu_limit"
        case .timeLimit: "time_limit"
        case .threadLimit: "thread_limit"
        case .crashed: "crashed"
        case .invalidAnswer: "invalid_answer"
        case .killed: "killed"
        case .starved: "starved"
        case .sandboxRefused: "sandbox_refused"
        case .unready, .unavailable: "unavailable"
        case .cancelled: "cancelled"
        }
    }

    /// Whether an operator should look into it: a hostile picture, or a defect of a codec or of the installation.
    var isSuspicious: Bool {
        switch self {
        case .processed, .unsupported, .unreadable, .tooLarge, .cancelled: false
        default: true
        }
    }

    func get() throws -> ProcessedImage {
        switch self {
        case .processed(let image): return image
        case .unsupported: throw PhotoWorkerError.unsupportedFormat
        case .tooLarge: throw PhotoWorkerError.tooLarge
        case .unreadable, .memoryLimit, .cpuLimit, .timeLimit, .threadLimit, .crashed, .invalidAnswer:
            throw PhotoWorkerError.unreadable
        case .killed, .starved: throw PhotoWorkerError.overloaded
        case .sandboxRefused: throw PhotoWorkerError.sandboxRefused
        case .unready(_, let reason), .unavailable(let reason): throw PhotoWorkerError.unavailable(reason)
        case .cancelled: throw CancellationError()
        }
    }
}
