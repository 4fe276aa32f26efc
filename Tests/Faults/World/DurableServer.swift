import DaylyTesting
import Foundation
import Glibc
import ProgramTesting

/// A PostgreSQL server of a world's own that can be killed as a whole. It flushes what is committed, as an operator's
/// server does, but for `synchronous_commit`: an unaware operator has switched that off, so that a service that does
/// not see to it by itself loses what it acknowledged.
final class DurableServer: Sendable {
    /// Commits that nobody waits for stay in memory for as long as possible. The memory that the processes share is files of
    /// the server's folder (mmap), because a killed server leaves them behind.
    private static let settings =
        "synchronous_commit=off wal_writer_delay=10s wal_buffers=8MB shared_buffers=32MB max_connections=120 "
        + "recovery_init_sync_method=syncfs dynamic_shared_memory_type=mmap"

    let url: String
    private let folder: URL
    /// The file from which libfaketime reads the server's time; nil where it has the machine's.
    private let clockFile: URL?

    /// Makes the cluster and starts the server.
    ///
    /// - Parameter hasClock: whether its time can be set.
    init(in folder: URL, hasClock: Bool) async throws {
        self.folder = folder
        clockFile = hasClock ? folder.deletingLastPathComponent().appendingPathComponent("clock") : nil
        try clockFile.map { try Data("+0".utf8).write(to: $0) }
        url = try await Self.start(folder, clockFile)
    }

    /// Moves the server's clock away from the machine's by so many days, at once.
    func setClock(daysAhead days: Int) throws {
        guard let clockFile else { throw ProxyError(description: "the server has the machine's clock") }
        try Data("+\(days)d".utf8).write(to: clockFile)
    }

    private static func start(_ folder: URL, _ clockFile: URL?) async throws -> String {
        var environment = ["DIR": folder.path]
        if let clockFile {
            environment["LD_PRELOAD"] = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
            environment["FAKETIME_TIMESTAMP_FILE"] = clockFile.path
            environment["FAKETIME_NO_CACHE"] = "1"
            environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        }
        let started = try await Shell.run(
            """
            . scripts/lib/postgres.sh
            mkdir -p "$DIR"; postgres_start "$DIR" \(settings); postgres_url "$DIR"
            """, environment: environment)
        guard started.status == 0 else { throw ProxyError(description: "PostgreSQL does not start") }
        return started.output
    }

    /// Kills every process of the server at once, so that nothing of what they had in memory is written.
    func kill9() async throws {
        let home = (try? String(contentsOf: folder.appendingPathComponent("location"), encoding: .utf8))
            .map { URL(fileURLWithPath: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        let place = home ?? folder
        let file = place.appendingPathComponent("data/postmaster.pid")
        guard let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first,
            let postmaster = Int32(line), postmaster > 1
        else { throw ProxyError(description: "PostgreSQL does not run") }
        // Stopped, it starts no more processes while the others are being killed.
        kill(postmaster, SIGSTOP)
        let children = Self.children(of: postmaster)
        for process in [postmaster] + children { kill(process, SIGKILL) }
        try await eventually("the end of PostgreSQL", every: .milliseconds(5)) {
            ([postmaster] + children).allSatisfy { !Self.isAlive($0) }
        }
        // A zombie still has its number, so the next server would take the socket for one in use.
        let sockets = place.appendingPathComponent("run")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: sockets.path)) ?? [] {
            try? FileManager.default.removeItem(at: sockets.appendingPathComponent(name))
        }
    }

    /// Starts it again where it was.
    func restart() async throws {
        guard try await Self.start(folder, clockFile) == url else {
            throw ProxyError(description: "PostgreSQL came back at another port")
        }
    }

    func stop() async {
        _ = try? await Shell.run(
            ". scripts/lib/postgres.sh; postgres_stop \"$DIR\"", environment: ["DIR": folder.path])
    }

    private static func children(of parent: Int32) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap(Int32.init).filter { status(of: $0)?.parent == parent }
    }

    private static func isAlive(_ process: Int32) -> Bool {
        status(of: process).map { $0.state != "Z" } ?? false
    }

    /// proc(5): the name in brackets may hold anything, what follows it is fixed.
    private static func status(of process: Int32) -> (state: Substring, parent: Int32)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        return (fields[0], parent)
    }
}
