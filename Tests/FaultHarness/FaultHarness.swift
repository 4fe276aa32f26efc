import ArgumentParser
import Faults
import Foundation

@main
struct FaultHarness: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-harness",
        abstract: "Breaks what Dayly depends on, kills it at every step, and checks that nothing was lost.",
        subcommands: [CellsCommand.self, ClusterCommand.self], defaultSubcommand: CellsCommand.self)
}

struct CellsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cells", abstract: "One process between proxies that fail.",
        discussion: "scripts/faults starts what it needs and runs it.")

    @Flag(
        help:
            "10,000 uploads and 300 kills instead of 2,000 and 60, 100,000 operations of Companion instead of 10,000, and PostgreSQL killed 300 times instead of 50."
    )
    var long = false

    @Option(help: "The random plans follow from it.")
    var seed: UInt64?

    @Option(help: "How many uploads the random run makes.")
    var uploads: Int?

    @Option(help: "How many operations the random run of Companion makes.")
    var operations: Int?

    @Option(help: "How many kills a random run makes.")
    var kills: Int?

    @Option(
        help:
            "Only this cell; `random` and `companion-random` are the random runs. May be given several times."
    )
    var cell: [String] = []

    @Option(help: "How many cells run at a time.")
    var lanes = 3

    @Flag(help: "Reach every database through a PgBouncer in transaction mode.")
    var pgbouncer = false

    @Option(help: "Take this guard out of the database's schema. May be given several times.")
    var without: [Removal] = []

    @Flag(help: "List the cells and end.")
    var list = false

    func run() async throws {
        guard !list else {
            for cell in Cell.all { say(cell.name) }
            return Self.randomRuns.forEach { say($0) }
        }
        Removals.current = Removals(all: without)
        var conditions = Conditions()
        conditions.isPooled = pgbouncer
        conditions.isLong = long
        Conditions.current = conditions
        let known = Set(Cell.all.map(\.name) + Self.randomRuns)
        if let stranger = cell.first(where: { !known.contains($0) }) {
            throw ValidationError("There is no cell '\(stranger)'; --list names them.")
        }
        var isRed = false
        let chosen = Cell.all.filter { cell.isEmpty || cell.contains($0.name) }
        isRed = await withTaskGroup(of: Bool.self) { group in
            for (index, cell) in chosen.enumerated() {
                if index >= lanes { isRed = await group.next() == true || isRed }
                group.addTask { await show(cell.name) { try await cell.run() } }
            }
            return await group.reduce(isRed) { $0 || $1 }
        }
        for name in Self.randomRuns where cell.isEmpty || cell.contains(name) {
            isRed = await (name == "random" ? photos() : companion()) || isRed
        }
        if isRed { throw ExitCode(1) }
    }

    private static let randomRuns = ["random", "companion-random"]

    private var chosenSeed: UInt64 { seed ?? UInt64.random(in: 1...9_999_999) }

    private func photos() async -> Bool {
        let seed = chosenSeed
        let plan = RandomPlan(
            seed: seed, uploads: uploads ?? (long ? 10_000 : 2_000), kills: kills ?? (long ? 300 : 60))
        say("random: seed \(seed), \(plan.uploads) uploads, \(plan.kills) kills")
        return await show("random, seed \(seed)") {
            let report = try await RandomRun(plan).run { say("    \($0)") }
            return Outcome(findings: report.findings, remarks: [report.summary])
        }
    }

    private func companion() async -> Bool {
        let seed = chosenSeed
        let plan = CompanionPlan(
            seed: seed, operations: operations ?? (long ? 100_000 : 10_000), kills: kills ?? (long ? 60 : 15))
        say("companion-random: seed \(seed), \(plan.operations) operations, \(plan.kills) kills")
        return await show("companion-random, seed \(seed)") {
            let report = try await CompanionRun(plan).run { say("    \($0)") }
            return Outcome(findings: report.findings, remarks: [report.summary])
        }
    }

    /// - Returns: whether something was found.
    private func show(_ name: String, _ body: () async throws -> Outcome) async -> Bool {
        let started = ContinuousClock.now
        do {
            let outcome = try await body()
            let findings = outcome.findings
            let time = ContinuousClock.now - started
            var lines = ["\(findings.isEmpty ? "green" : "RED  ") \(name) (\(time.components.seconds) s)"]
            lines += (outcome.remarks + findings.prefix(20).map(\.description))
                .flatMap { $0.split(separator: "\n") }.map { "      \($0)" }
            if findings.count > 20 { lines.append("      and \(findings.count - 20) more") }
            say(lines.joined(separator: "\n"))
            return !findings.isEmpty
        } catch {
            say("RED   \(name): \(error)")
            return true
        }
    }
}

/// Output is written at once, also into a pipe.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

extension Removal: ExpressibleByArgument {}
