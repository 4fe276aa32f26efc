import ArgumentParser
import Faults
import Foundation

struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "People at a cluster that another program runs and breaks.",
        discussion:
            "scripts/cluster starts the cluster and runs this beside it; both speak over the standard streams."
    )

    @Argument(help: "A JSON file with the plan.")
    var plan: String

    @Argument(help: "The JSON file that gets the report.")
    var report: String

    func run() async throws {
        let plan = try JSONDecoder().decode(
            ClusterPlan.self, from: try Data(contentsOf: URL(fileURLWithPath: plan)))
        let answers = Self.answers()
        let steps = ClusterRun.Steps(tell: { say($0) }, await: { await answers.first { _ in true } ?? "" })
        let result = try await ClusterRun(plan).run(steps)
        try JSONEncoder().encode(result).write(to: URL(fileURLWithPath: report))
    }

    /// The lines of standard input, read by a thread: a read waits.
    private static func answers() -> AsyncStream<String> {
        let (stream, lines) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
        return stream
    }
}
