import ArgumentParser
import DailyPhotos
import DaylyServer
import Synchronization

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Deletes expired photos and abandoned uploads, objects before rows.",
        discussion: """
            `serve` does the same all the time; any number may run side by side. SIGTERM and Ctrl-C end it between two \
            batches. Exit status 1 when something that is due could not be deleted.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Sweep once and end (the default).")
    var once = false

    @Flag(help: "Sweep again and again until Ctrl-C.")
    var watch = false

    @Flag(help: "Only say what would be deleted, and how late it is.")
    var dryRun = false

    @Flag(help: "Print JSON: a line per sweep, with --watch per sweep that had something to do.")
    var json = false

    func validate() throws {
        if once && watch { throw ValidationError("--once and --watch exclude each other.") }
        if watch && dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
    }

    func run() async throws {
        let (configuration, logger) = try await options.load(for: .upkeep)
        try await Upkeep.run(configuration, logger: logger) { upkeep in
            if watch {
                if !json {
                    Terminal.warn("Sweeping every \(configuration.photos.sweepInterval); Ctrl-C ends.")
                }
                try await keepSweeping(upkeep)
            } else if dryRun {
                show(try await upkeep.sweepDryRun())
            } else {
                try await sweepOnce(upkeep)
            }
        }
    }

    private func sweepOnce(_ upkeep: Upkeep) async throws {
        let (line, progress) = (ProgressLine(), SweepProgress())
        let report = try await upkeep.sweep { line.show(progress.line($0)) }
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
            Terminal.warn("The object store deletes nothing: \(failure). `dayly doctor` looks closer.")
        } else if report.failedObjects > 0 {
            Terminal.warn(
                "The object store kept \(report.failedObjects) objects; the next sweeps try them again. "
                    + "`dayly doctor` looks at the store.")
        }
        guard !report.isInterrupted, report.storeFailure == nil, report.failedObjects == 0,
            report.clockDifferenceSeconds == nil
        else {
            throw Status.failed.exitCode
        }
    }

    private func keepSweeping(_ upkeep: Upkeep) async throws {
        let line = ProgressLine()
        // Of the sweep under way.
        let progress = Mutex<SweepProgress?>(nil)
        try await upkeep.watch { report in
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
            // A report is a few numbers: encoding it cannot fail.
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
