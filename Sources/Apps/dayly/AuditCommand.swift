import ArgumentParser
import CommandKit
import DailyPhotos
import DaylyServer

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Compares bucket and database both ways, and both with the promise of 48 hours.",
        discussion: """
            Changes nothing without --delete. Exit status 3 if something is not in order; with --delete, if \
            something could not be corrected. The database records the progress, so that --resume continues an \
            audit that Ctrl-C or a kill interrupted. `serve` runs an audit by itself, once in every audit.interval.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        help: """
            Delete objects that have no row and are older than the longest upload, and remove photos whose \
            objects are gone from their feeds.
            """)
    var delete = false

    @Flag(help: "With --delete: hide all photos without objects; otherwise the audit stops at 20.")
    var all = false

    @Flag(help: "Continue the last audit that was interrupted.")
    var resume = false

    @Option(help: "The limit on requests to the object store per second; there is none by default.")
    var requestsPerSecond: Int?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if all && !delete { throw ValidationError("--all needs --delete.") }
        if let requestsPerSecond, requestsPerSecond < 1 {
            throw ValidationError("--requests-per-second must be 1 or more.")
        }
    }

    func run() async throws {
        let (configuration, logger) = try options.load(for: .upkeep)
        let progress = ProgressLine()
        var settings = AuditSettings(lifetime: configuration.photos.lifetime)
        settings.mends = delete
        settings.requestsPerSecond = requestsPerSecond
        if all { settings.hideCeiling = nil }
        let outcome = try await AuditAction.run(
            settings, resume: resume, configuration: configuration, logger: logger
        ) { report in
            let found = report.counts.values.reduce(0, +)
            progress.show("\(report.objects) objects checked, \(found) not in order")
        }
        progress.clear()
        let report = outcome.report
        let isSweepIncomplete = outcome.sweep?.hasLeftDue ?? false
        if json {
            try Terminal.printJSON(report)
        } else {
            show(report, orphansAre: isSweepIncomplete ? "left to the sweeper" : "deleted")
        }
        if isSweepIncomplete {
            Terminal.warn("Not everything that is due could be deleted: `dayly sweep` says why.")
        }
        guard report.isComplete else {
            Terminal.warn("Interrupted; `dayly audit --resume` continues from there.")
            throw Status.failed.exitCode
        }
        if report.unmended > 0 || isSweepIncomplete { throw Status.foundSomething.exitCode }
    }

    /// - Parameter orphanFate: the state of the orphans that the audit has made due.
    private func show(_ report: AuditReport, orphansAre orphanFate: String) {
        for finding in report.findings {
            let mending = finding.kind == .missingObject ? "hidden" : orphanFate
            Terminal.print(
                "\(finding.kind.meaning): \(finding.subject)\(finding.mended ? " (\(mending))" : "")")
        }
        let count = report.counts.values.reduce(0, +)
        if count > report.findings.count { Terminal.print("… and \(count - report.findings.count) more.") }
        Terminal.print(
            "\(report.objects) objects checked, "
                + (count == 0 ? "all in order." : "\(count) not in order."))
        if !delete, report.count(of: .orphanObject) + report.count(of: .missingObject) > 0 {
            Terminal.print(
                "`dayly audit --delete` deletes the objects without a row, and hides photos whose objects are gone."
            )
        }
        if report.youngOrphans > 0 {
            Terminal.print(
                "\(report.youngOrphans) objects without a row may belong to uploads in progress; repeat the audit in ten minutes."
            )
        }
        if let doubt = report.doubt {
            Terminal.warn(
                "Photos without objects stay in their feeds: \(doubt). Check that the bucket is the right one and complete; "
                    + "`dayly audit --delete --all` hides them all.")
        }
        let overdue: [AuditFinding.Kind] = [.overdueObject, .overduePhoto, .overdueUpload]
        if overdue.contains(where: { report.count(of: $0) > 0 }) {
            Terminal.print("`dayly sweep` deletes what is overdue.")
        }
    }
}

extension AuditFinding.Kind {
    fileprivate var meaning: String {
        switch self {
        case .orphanObject: "an object without a row"
        case .missingObject: "a photo without its object"
        case .overdueObject: "an object that should be deleted"
        case .overstayedObject: "an object that is older than any photo may be"
        case .overduePhoto: "a photo that should be deleted"
        case .overdueUpload: "an upload that should be freed"
        }
    }
}
