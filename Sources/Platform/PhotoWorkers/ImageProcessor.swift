import Foundation
import Logging
import Metrics
import NIOCore
import Synchronization

/// Turns uploaded bytes into a photo, a thumbnail and a placeholder, each picture in a process of its own. At most
/// `maxConcurrent` pictures are processed at a time, and at most `maxQueued` wait.
package final class ImageProcessor: Sendable {
    private let configuration: ImageProcessorConfiguration
    private let logger: Logger
    private let slots: WorkerSlots
    private let threads: WorkerThreads
    private let isSandboxed = Atomic(true)

    package init(configuration: ImageProcessorConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        let depth = Gauge(label: "dayly_photo_queue_depth")
        slots = WorkerSlots(
            count: configuration.maxConcurrent, queueSize: configuration.queueSize,
            maxWaiting: configuration.maxQueued
        ) { depth.record($0) }
        threads = WorkerThreads(count: configuration.maxConcurrent)
        WorkerMetrics.begin()
    }

    /// Whether so many pictures wait that the service should not accept another upload.
    package var isFull: Bool { slots.isFull }

    /// Processes one picture when a worker is free. A cancelled task gets `PhotoWorkerError.unavailable`.
    package func process(_ picture: SealedPicture) async throws(PhotoWorkerError) -> ProcessedImage {
        try await process(picture, as: configuration)
    }

    private func process(
        _ picture: SealedPicture, as configuration: ImageProcessorConfiguration
    ) async throws(PhotoWorkerError) -> ProcessedImage {
        do {
            return try await process(picture, as: configuration, for: nil)
        } catch let error as PhotoWorkerError {
            throw error
        } catch {
            throw .unavailable("cancelled")
        }
    }

    /// Processes one picture. Senders take turns, and no sender gets all workers.
    ///
    /// - Throws: `PhotoWorkerError`; `CancellationError` when the task is cancelled: a waiting picture then leaves the queue,
    ///   and a running worker is killed.
    package func process(_ picture: SealedPicture, for sender: UUID) async throws -> ProcessedImage {
        try await process(picture, as: configuration, for: sender)
    }

    private func process(
        _ picture: SealedPicture, as configuration: ImageProcessorConfiguration, for sender: UUID?
    ) async throws -> ProcessedImage {
        try await slots.acquire(for: sender)
        defer { slots.release(for: sender) }
        try Task.checkCancellation()
        return try await run(picture, as: configuration).get()
    }

    /// Checks that workers start and answer, with one run on a built-in picture.
    ///
    /// - Returns: whether the worker had its sandbox. A missing sandbox throws, unless the configuration makes it optional.
    @discardableResult
    package func check() async throws(PhotoWorkerError) -> Bool {
        _ = try await process(SelfTest.sealedPicture(), as: SelfTest.configuration(from: configuration))
        return isSandboxed.load(ordering: .relaxed)
    }

    private func run(_ picture: SealedPicture, as configuration: ImageProcessorConfiguration) async
        -> WorkerOutcome
    {
        let sandboxed = isSandboxed.load(ordering: .relaxed)
        var report = await runWorker(picture, as: configuration, isSandboxed: sandboxed)
        if let exitCode = report.outcome.blamingExitCode {
            switch await selfTest(isSandboxed: sandboxed) {
            case .processed: report.outcome = .crashed(signal: 0, exitCode: exitCode)
            case .sandboxRefused where configuration.sandbox == .optional:
                goWithoutSandbox()
                report = await runWorker(picture, as: configuration, isSandboxed: false)
            default: break
            }
        }
        WorkerMetrics.record(report)
        log(report, byteCount: picture.byteCount)
        return report.outcome
    }

    /// Runs a worker on the built-in picture, whose result can be believed.
    private func selfTest(isSandboxed: Bool) async -> WorkerOutcome {
        guard let picture = try? SelfTest.sealedPicture() else { return .unavailable("no memory") }
        return await runWorker(
            picture, as: SelfTest.configuration(from: configuration), isSandboxed: isSandboxed
        ).outcome
    }

    private func runWorker(
        _ picture: SealedPicture, as configuration: ImageProcessorConfiguration, isSandboxed: Bool
    ) async -> WorkerRun.Report {
        let killSwitch = KillSwitch()
        let worker = WorkerRun(configuration: configuration, isSandboxed: isSandboxed)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                threads.run {
                    continuation.resume(returning: worker.process(picture, killSwitch: killSwitch))
                }
            }
        } onCancel: {
            killSwitch.pull()
        }
    }

    /// Runs all later workers without the sandbox, because the kernel will refuse it again.
    private func goWithoutSandbox() {
        guard isSandboxed.exchange(false, ordering: .relaxed) else { return }
        WorkerMetrics.withoutSandbox()
        logger.warning(
            "the kernel refuses the system call filter: pictures are decoded under their limits alone, as photos.sandbox allows"
        )
    }

    /// Writes one line for every picture: its format, size and costs, and neither its sender nor its content.
    private func log(_ report: WorkerRun.Report, byteCount: Int) {
        var facts: Logger.Metadata = [
            "outcome": "\(report.outcome.label)", "format": "\(report.format)", "bytes": "\(byteCount)",
            "width": "\(report.sourceWidth)", "height": "\(report.sourceHeight)",
            "milliseconds": "\(Int(report.duration / .milliseconds(1)))",
            "cpu_milliseconds": "\(Int(report.cpuSeconds * 1000))",
            "memory_mib": "\(report.peakMemoryBytes >> 20)",
        ]
        switch report.outcome {
        case .crashed(let signal, let exitCode):
            facts["signal"] = "\(signal)"
            facts["exit_code"] = "\(exitCode)"
        case .unready(_, let reason), .unavailable(let reason):
            facts["reason"] = "\(reason)"
        default:
            break
        }
        logger.log(level: report.outcome.isSuspicious ? .warning : .info, "picture", metadata: facts)
    }
}
