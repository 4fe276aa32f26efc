import CProcess
import Glibc

/// Processes one picture in one worker process. Blocks the calling thread.
struct WorkerRun {
    /// The outcome of a run and its costs.
    struct Report: Sendable {
        var outcome: WorkerOutcome
        var format = "unknown"
        var sourceWidth = 0
        var sourceHeight = 0
        var cpuSeconds = 0.0
        /// The worker's peak memory. Exact if it exceeds the peak of this process. Otherwise it is the last observed
        /// value, at most 20 ms before the worker's end, or 0 when the worker ended within a millisecond or two.
        var peakMemoryBytes = 0
        /// From start to end, without the waits for a slot and for a thread.
        var duration = Duration.zero
    }

    let configuration: ImageProcessorConfiguration
    /// Whether the worker is to enter its sandbox.
    var isSandboxed = true

    func process(_ picture: SealedPicture, killSwitch: KillSwitch) -> Report {
        let start = ContinuousClock.now
        var report: Report
        do {
            let output = try MemoryFile.fixed(size: capacity, named: "answer")
            report = try run(input: picture.file, output: output, killSwitch: killSwitch)
        } catch {
            report = Report(outcome: .unavailable(error.description))
        }
        report.duration = ContinuousClock.now - start
        return report
    }

    /// The size of the answer's file, more than any answer needs: four bytes for each pixel of both pictures, and
    /// 128 KiB.
    private var capacity: Int {
        let photo = configuration.photoLongEdge * configuration.photoLongEdge
        let thumbnail = configuration.thumbnailLongEdge * configuration.thumbnailLongEdge
        return (photo + thumbnail) * 4 + 128 * 1024
    }

    private var arguments: [String] {
        let numbers = [
            configuration.maxPixels, configuration.maxSide, configuration.maxScans,
            configuration.photoLongEdge, configuration.thumbnailLongEdge, configuration.quality,
            configuration.formats.reduce(0) { $0 | 1 << Int($1.code.rawValue) }, isSandboxed ? 1 : 0,
        ]
        return ["photo-worker"] + numbers.map(String.init)
    }

    private func run(
        input: borrowing MemoryFile, output: borrowing MemoryFile, killSwitch: KillSwitch
    ) throws(SystemFailure) -> Report {
        if killSwitch.isPulled { return Report(outcome: .cancelled) }
        let (process, descriptor) = try spawn(input: input.descriptor, output: output.descriptor)
        defer { process_close(descriptor) }
        killSwitch.watch(process)
        let milliseconds = configuration.wallClock / .milliseconds(1)
        var peak: Int64 = 0
        let seen = process_wait(process, descriptor, Int64(milliseconds), &peak)
        let wasAwake = seen == PROCESS_OVERDUE && process_is_awake(process) != 0
        if seen != PROCESS_ENDED { process_kill(process) }
        let end = killSwitch.reap(process)

        let answer = WorkerAnswer(in: output, configuration: configuration)
        var report = Report(outcome: .threadLimit)
        report.format = answer?.format ?? "unknown"
        report.sourceWidth = answer?.sourceWidth ?? 0
        report.sourceHeight = answer?.sourceHeight ?? 0
        report.cpuSeconds = Double(end.cpu_microseconds) / 1e6
        report.peakMemoryBytes = Int(max(peak, end.peak_bytes))
        if killSwitch.isPulled {
            report.outcome = .cancelled
        } else if seen == PROCESS_ENDED {
            report.outcome = WorkerOutcome(of: end, report: report, limits: configuration) {
                answer?.image(from: output)
            }
        } else if seen == PROCESS_OVERDUE {
            report.outcome = WorkerOutcome(
                overdueAfter: report.cpuSeconds, wasAwake: wasAwake, limits: configuration)
        }
        return report
    }

    private func spawn(input: Int32, output: Int32) throws(SystemFailure) -> (pid_t, Int32) {
        var limits = process_limits(
            memory_bytes: UInt64(configuration.memoryBytes), cpu_seconds: UInt64(configuration.cpuSeconds),
            file_bytes: UInt64(capacity))
        var process: pid_t = 0
        var descriptor: Int32 = -1
        let owned = arguments.map { strdup($0) }
        defer { owned.forEach { free($0) } }
        let pointers = owned.map { UnsafePointer($0) } + [nil]
        let result = process_spawn(
            configuration.workerPath, pointers, input, output, &limits, &process, &descriptor)
        try SystemFailure.check(result, "start \(configuration.workerPath)")
        return (process, descriptor)
    }
}
