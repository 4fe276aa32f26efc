import Logging
import Metrics
import NIOCore

/// Turns uploaded bytes into what is stored, each picture in a process of its own: at most
/// `maxConcurrent` at a time, at most `maxQueued` waiting in order.
package final class ImageProcessor: Sendable {
    private let configuration: ImageProcessorConfiguration
    private let logger: Logger
    private let slots: WorkerSlots
    private let threads: WorkerThreads

    package init(configuration: ImageProcessorConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        let depth = Gauge(label: "dayly_photo_queue_depth")
        slots = WorkerSlots(count: configuration.maxConcurrent, maxWaiting: configuration.maxQueued) {
            depth.record($0)
        }
        threads = WorkerThreads(count: configuration.maxConcurrent)
    }

    /// Processes one picture; waits for a free worker. A cancelled task gets `ImagingError.unavailable`.
    package func process(_ bytes: ByteBuffer) async throws(ImagingError) -> ProcessedImage {
        do {
            return try await process(bytes, admit: {})
        } catch let error as ImagingError {
            throw error
        } catch {
            throw .unavailable("cancelled")
        }
    }

    /// Processes one picture; `admit` runs when a worker is free, before decoding, and lets the caller refuse
    /// cheaply: what it throws is thrown. Throws `ImagingError`, and `CancellationError` when the task is
    /// cancelled: a waiting picture then leaves the queue, a running worker is killed.
    package func process(
        _ bytes: ByteBuffer, admit: @Sendable () async throws -> Void
    ) async throws -> ProcessedImage {
        try await slots.acquire()
        defer { slots.release() }
        try await admit()
        try Task.checkCancellation()
        return try await run(bytes).get()
    }

    /// Whether workers start, enter their sandbox and answer: runs one on a built-in picture.
    package func check() async throws(ImagingError) {
        _ = try await process(ByteBuffer(bytes: SelfTest.picture))
    }

    private func run(_ bytes: ByteBuffer) async -> WorkerOutcome {
        let killSwitch = KillSwitch()
        let worker = WorkerRun(configuration: configuration)
        let report = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                threads.run { continuation.resume(returning: worker.process(bytes, killSwitch: killSwitch)) }
            }
        } onCancel: {
            killSwitch.pull()
        }
        record(report, byteCount: bytes.readableBytes)
        return report.outcome
    }

    private func record(_ report: WorkerRun.Report, byteCount: Int) {
        Timer(
            label: "dayly_photo_worker_seconds",
            dimensions: [("format", report.format), ("outcome", report.outcome.label)]
        ).record(duration: report.duration)
        var facts: Logger.Metadata = [
            "outcome": "\(report.outcome.label)", "format": "\(report.format)", "bytes": "\(byteCount)",
            "width": "\(report.sourceWidth)", "height": "\(report.sourceHeight)",
            "milliseconds": "\(Int(report.duration / .milliseconds(1)))",
            "cpu_seconds": "\(report.cpuSeconds)",
        ]
        switch report.outcome {
        case .crashed(let signal, let exitCode):
            facts["signal"] = "\(signal)"
            facts["exit_code"] = "\(exitCode)"
        case .unavailable(let reason):
            facts["reason"] = "\(reason)"
        default:
            break
        }
        logger.log(
            level: report.outcome.isSuspicious ? .warning : .debug, "photo worker ended", metadata: facts)
    }
}
