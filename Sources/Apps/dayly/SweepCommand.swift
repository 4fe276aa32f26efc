import ArgumentParser
import DailyPhotos
import DaylyServer

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Deletes expired photos and abandoned uploads, objects before rows.",
        discussion: "`serve` does the same all the time; any number may run side by side.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Sweep once and end (the default).")
    var once = false

    @Flag(help: "Sweep again and again until Ctrl-C.")
    var watch = false

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @Flag(help: "Print JSON, an object per sweep.")
    var json = false

    func validate() throws {
        if once && watch { throw ValidationError("--once and --watch exclude each other.") }
        if watch && dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
    }

    func run() async throws {
        let (configuration, logger) = try await options.load()
        try await Upkeep.run(configuration, logger: logger) { upkeep in
            if watch {
                if !json {
                    Terminal.warn("Sweeping every \(configuration.photos.sweepInterval); Ctrl-C ends.")
                }
                try await upkeep.watch { report in
                    if !report.isIdle { show(report) }
                }
            } else if dryRun {
                show(try await upkeep.sweepDryRun())
            } else {
                let progress = ProgressLine()
                let report = try await upkeep.sweep { progress.show("\($0.deletedObjects) objects deleted") }
                progress.clear()
                show(report)
                guard report.failedObjects == 0 else {
                    Terminal.warn(
                        "The object store kept \(report.failedObjects) objects; the next sweep tries again. "
                            + "`dayly doctor` looks at the store.")
                    throw Status.failed.exitCode
                }
            }
        }
    }

    private func show(_ report: SweepReport) {
        guard !json else {
            // A report is four numbers: encoding it cannot fail.
            try? Terminal.printJSON(report)
            return
        }
        let verb = dryRun ? "would be deleted" : "deleted"
        var text =
            "\(report.deletedPhotos) photos and \(report.deletedObjects) objects \(verb), "
            + "\(report.abandonedUploads) abandoned uploads \(dryRun ? "would be freed" : "freed")"
        if report.failedObjects > 0 { text += ", \(report.failedObjects) objects kept by the store" }
        Terminal.print(text + ".")
    }
}

extension SweepReport {
    /// Whether there was nothing to do.
    fileprivate var isIdle: Bool {
        deletedObjects + failedObjects + deletedPhotos + abandonedUploads == 0
    }
}
