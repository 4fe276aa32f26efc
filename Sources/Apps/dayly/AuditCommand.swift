import ArgumentParser
import DailyPhotos
import DaylyServer

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Compares bucket and database both ways, and both with the promise of 48 hours.",
        discussion: """
            A dry run unless told --delete. Exit status 3 when something is not in order; with --delete, when \
            something is left that it could not mend.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Delete objects that no row knows and that are older than the longest upload.")
    var delete = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let (configuration, logger) = try await options.load()
        let report = try await Upkeep.run(configuration, logger: logger) {
            try await $0.audit(delete: delete)
        }
        if json {
            try Terminal.printJSON(report)
        } else {
            show(report)
        }
        if report.findings.contains(where: { !$0.mended }) { throw Status.foundSomething.exitCode }
    }

    private func show(_ report: AuditReport) {
        for finding in report.findings {
            Terminal.print("\(finding.kind.meaning): \(finding.subject)\(finding.mended ? " (deleted)" : "")")
        }
        let count = report.findings.count
        Terminal.print(
            "\(report.objects) objects looked at, "
                + (count == 0 ? "all in order." : "\(count) not in order."))
        if !delete, report.findings.contains(where: { $0.kind == .orphanObject }) {
            Terminal.print("`dayly audit --delete` deletes the objects that no row knows.")
        }
        let overdue: [AuditFinding.Kind] = [.overdueObject, .overduePhoto, .overdueUpload]
        if report.findings.contains(where: { overdue.contains($0.kind) }) {
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
        case .overduePhoto: "a photo that should be gone"
        case .overdueUpload: "an upload that should be freed"
        }
    }
}
