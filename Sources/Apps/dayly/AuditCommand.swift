import ArgumentParser
import DailyPhotos
import DaylyServer

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Compares bucket and database both ways, and both with the promise of 48 hours.",
        discussion: """
            A dry run unless told --delete. Exit status 3 when something is not in order; with --delete, when \
            something is left that it could not mend. Where it stands is kept in the database: what Ctrl-C or a \
            kill has cut off goes on with --resume. `serve` audits by itself, every audit.interval.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        help: """
            Delete objects that no row knows and that are older than the longest upload, and take photos whose \
            objects are gone out of their feeds.
            """)
    var delete = false

    @Flag(help: "With --delete: however many photos are without their objects, where it stops at 20 else.")
    var all = false

    @Flag(help: "Go on where the last audit was cut off.")
    var resume = false

    @Option(help: "Ask the object store so often in a second at most; as fast as it answers unless given.")
    var requestsPerSecond: Int?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if all && !delete { throw ValidationError("--all says how much --delete may do; give both.") }
        if let requestsPerSecond, requestsPerSecond < 1 {
            throw ValidationError("--requests-per-second must be 1 or more.")
        }
    }

    func run() async throws {
        let (configuration, logger) = try await options.load(for: .upkeep)
        let progress = ProgressLine()
        let report = try await Upkeep.run(configuration, logger: logger) { upkeep in
            var settings = upkeep.auditSettings
            settings.mends = delete
            settings.requestsPerSecond = requestsPerSecond
            if all { settings.hideCeiling = nil }
            return try await upkeep.audit(settings, resume: resume) { report in
                let found = report.counts.values.reduce(0, +)
                progress.show("\(report.objects) objects looked at, \(found) not in order")
            }
        }
        progress.clear()
        if json {
            try Terminal.printJSON(report)
        } else {
            show(report)
        }
        guard report.isComplete else {
            Terminal.warn("Cut off; `dayly audit --resume` goes on from there.")
            throw Status.failed.exitCode
        }
        if report.unmended > 0 { throw Status.foundSomething.exitCode }
    }

    private func show(_ report: AuditReport) {
        for finding in report.findings {
            Terminal.print(
                "\(finding.kind.meaning): \(finding.subject)\(finding.mended ? " (\(finding.kind.mending))" : "")"
            )
        }
        let count = report.counts.values.reduce(0, +)
        if count > report.findings.count { Terminal.print("… and \(count - report.findings.count) more.") }
        Terminal.print(
            "\(report.objects) objects looked at, "
                + (count == 0 ? "all in order." : "\(count) not in order."))
        if !delete, report.count(of: .orphanObject) + report.count(of: .missingObject) > 0 {
            Terminal.print(
                "`dayly audit --delete` deletes the objects that no row knows, and hides photos whose objects are gone."
            )
        }
        if report.youngOrphans > 0 {
            Terminal.print(
                "\(report.youngOrphans) objects without a row are too young to judge; look again in ten minutes."
            )
        }
        if let doubt = report.doubt {
            Terminal.warn(
                "Photos were left in their feeds: \(doubt). See that the bucket is the right one and whole; "
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
        case .orphanObject: "an object that no row knows"
        case .missingObject: "a photo without its object"
        case .overdueObject: "an object that should be gone"
        case .overstayedObject: "an object that is older than any photo"
        case .overduePhoto: "a photo that should be gone"
        case .overdueUpload: "an upload that should be freed"
        }
    }

    /// What was done about it.
    fileprivate var mending: String {
        self == .missingObject ? "hidden" : "deleted"
    }
}
