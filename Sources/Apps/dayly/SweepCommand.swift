import ArgumentParser
import CommandKit
import DailyPhotos
import DaylyServer
import Logging
import Synchronization

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Deletes expired photos and abandoned uploads, objects before rows.",
        discussion: """
            `serve` does the same all the time; any number of sweepers may run at once. SIGTERM and Ctrl-C end a sweep \
            between two batches. Exit status 1 if something that is due could not be deleted.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Sweep once and end (the default).")
    var once = false

    @Flag(help: "Sweep again and again until Ctrl-C.")
    var watch = false

    @Flag(help: "Only count what would be deleted, and say how late it is.")
    var dryRun = false

    @Flag(help: "Print JSON: one line per sweep; with --watch, one line per sweep that deleted something.")
    var json = false

    func validate() throws {
        if once && watch { throw ValidationError("--once and --watch exclude each other.") }
        if watch && dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
    }

    func run() async throws {
        let (configuration, logger) = try options.load(for: .upkeep)
        if watch {
            try await keepSweeping(configuration, logger)
        } else if dryRun {
            show(try await SweepAction.dryRun(configuration: configuration, logger: logger))
        } else {
            try await sweepOnce(configuration, logger)
        }
    }

    private func sweepOnce(_ configuration: ServerConfiguration, _ logger: Logger) async throws {
        let (line, progress) = (ProgressLine(), SweepProgress())
        let report = try await SweepAction.once(configuration: configuration, logger: logger) {
            line.show(progress.line($0))
        }
        line.clear()
        show(report)
        if report.isInterrupted {
            Terminal.warn("Interrupted; \(report.backlog?.dueObjects ?? 0) objects are still due.")
        }
        if let seconds = report.clockDifferenceSeconds {
            Terminal.warn(
                "Nothing is deleted: the clocks of the database and the object store are \(Int(abs(seconds))) s apart. "
                    + "`dayly doctor` says which one is wrong.")
        }
        if let failure = report.storeFailure {
            Terminal.warn("The object store does not delete: \(failure). Run `dayly doctor`.")
        } else if report.failedObjects > 0 {
            Terminal.warn(
                "The object store kept \(report.failedObjects) objects; the next sweeps try them again. "
                    + "`dayly doctor` examines the store.")
        } else if report.waitingObjects > 0 {
            Terminal.warn(
                "\(report.waitingObjects) objects that the object store kept before wait for another attempt. "
                    + "`dayly doctor` examines the store.")
        }
        if report.hasLeftDue { throw Status.failed.exitCode }
    }

    private func keepSweeping(_ configuration: ServerConfiguration, _ logger: Logger) async throws {
        let line = ProgressLine()
        // The progress of the sweep that is running.
        let progress = Mutex<SweepProgress?>(nil)
        try await SweepAction.watch(configuration: configuration, logger: logger) {
            if !json {
                Terminal.warn("Sweeping every \(configuration.photos.sweepInterval); Ctrl-C ends.")
            }
        } progress: { report in
            let current = progress.withLock { known in
                let current = known ?? SweepProgress()
                known = current
                return current
            }
            if !report.isIdle { line.show(current.line(report)) }
        } report: { report in
            progress.withLock { $0 = nil }
            line.clear()
            if !report.isIdle { show(report) }
        }
    }

    private func show(_ report: SweepReport) {
        guard !json else {
            // A report holds only numbers, so encoding it cannot fail.
            try? Terminal.printJSON(report)
            return
        }
        var text =
            dryRun
            ? "\(report.deletedPhotos) photos and \(report.deletedObjects) objects would be deleted, "
                + "\(report.abandonedUploads) abandoned uploads would be freed"
            : "\(report.deletedPhotos) photos and \(report.deletedObjects) objects deleted, "
                + "\(report.abandonedUploads) abandoned uploads freed"
        if report.failedObjects > 0 { text += ", \(report.failedObjects) objects kept by the store" }
        Terminal.print(text + ".")
        if let backlog = report.backlog, dryRun { Terminal.print(SweepProgress.state(backlog)) }
    }
}
