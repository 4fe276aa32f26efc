import DaylyTesting
import Foundation
import Glibc
import Testing

@testable import PhotoWorkers

/// Tests the real sandbox with a hostile program in it: Tests/HostileWorker, one attempt per photo.
@Suite("A worker that was taken over")
struct HostileWorkerTests {
    /// The cause of an attempt's end.
    enum End: Sendable {
        /// The system call filter killed it.
        case killed
        /// The kernel refused the call.
        case refused(Int32)
        case signal(Int32)
        /// The label in the metrics.
        case outcome(String)
    }

    struct Attempt: Sendable, CustomStringConvertible {
        let mode: String
        let name: String
        let end: End

        init(_ mode: String, _ name: String, _ end: End) {
            self.mode = mode
            self.name = name
            self.end = end
        }

        var description: String { "\(mode) \(name)" }
        var file: [UInt8] { Array("hostile \(mode) \(name)".utf8) }
    }

    /// In the sandbox of formats whose decoders have no threads.
    static let single: [Attempt] =
        [
            "openat2", "memfd", "unlink", "write-input", "write-inherited", "files", "duplicate",
            "truncate-output", "io_uring", "socket", "socketpair", "send-descriptor", "exec", "execveat",
            "fork", "vfork", "clone", "clone-namespace", "clone3", "threads", "session", "kill-parent",
            "signal-self", "ptrace", "read-process", "bpf", "unshare", "mount", "keyctl", "userfaultfd",
            "perf", "setuid", "seccomp", "dumpable", "32-bit", "x32", "map-executable", "make-executable",
            "cpu-signals-blocked", "cpu-signal-ignored",
        ].map { Attempt("single", $0, .killed) }
        + [
            Attempt("single", "open", .refused(EACCES)), Attempt("single", "create", .refused(EACCES)),
            Attempt("single", "open-self", .refused(EACCES)),
            Attempt("single", "map-input", .refused(EPERM)),
            Attempt("single", "raise-limit", .refused(EPERM)),
            Attempt("single", "limits-of-parent", .refused(EPERM)),
            Attempt("single", "memory", .refused(ENOMEM)),
            Attempt("single", "memory-filled", .refused(ENOMEM)),
            Attempt("single", "output", .signal(SIGXFSZ)), Attempt("single", "output-map", .signal(SIGBUS)),
            Attempt("single", "crash", .signal(SIGSEGV)),
            Attempt("single", "cpu", .outcome("cpu_limit")),
            Attempt("single", "sleep", .outcome("time_limit")),
        ]

    /// Calls that threads need, and calls that stay closed to them.
    static let threaded: [Attempt] =
        [
            "fork", "vfork", "clone", "clone-namespace", "exec", "socket", "kill-parent", "signal-self",
            "write-inherited", "memfd", "32-bit", "cpu-signal-ignored", "make-executable", "dumpable",
        ].map { Attempt("threaded", $0, .killed) }
        + [
            Attempt("threaded", "open", .refused(EACCES)), Attempt("threaded", "clone3", .refused(ENOSYS)),
            Attempt("threaded", "threads", .outcome("thread_limit")),
            Attempt("threaded", "cpu-signals-blocked", .outcome("cpu_limit")),
        ]

    /// Attempts without the sandbox, against the limits and the descriptors alone.
    static let free: [Attempt] = [
        Attempt("free", "memory", .refused(ENOMEM)), Attempt("free", "memory-filled", .refused(ENOMEM)),
        Attempt("free", "output", .signal(SIGXFSZ)), Attempt("free", "output-file", .signal(SIGXFSZ)),
        Attempt("free", "files", .refused(EMFILE)), Attempt("free", "write-inherited", .refused(EBADF)),
        Attempt("free", "look-into", .refused(EPERM)), Attempt("free", "write-input", .refused(EPERM)),
        Attempt("free", "cpu", .outcome("cpu_limit")),
        Attempt("free", "sleep", .outcome("time_limit")), Attempt("free", "crash", .signal(SIGSEGV)),
    ]

    /// Guard: the filter allows exactly the listed system calls and arguments (`CSandbox`)
    /// Guard: only HEIF and AVIF may start threads (CSandbox `sandbox_enter`)
    @Test("every attempt is stopped, and the next good picture is none the worse", arguments: single)
    func inSandbox(attempt: Attempt) async throws {
        try await isStopped(attempt)
    }

    /// Guard: SIGXCPU cannot be ignored (CSandbox `add_thread_rules`)
    /// Guard: threads without end are stopped (CProcess `observe`)
    /// Guard: the filter allows exactly the listed system calls and arguments (`CSandbox`)
    @Test("threads open no way out", arguments: threaded)
    func withThreads(attempt: Attempt) async throws {
        try await isStopped(attempt)
    }

    /// Guard: output, files and descriptors are limited without the filter too (CProcess `limit_self`,
    /// `take_descriptors`)
    /// Guard: a crash leaves no dump and starts no debugger (CSandbox `sandbox_prepare`)
    @Test("each limit holds by itself", arguments: free)
    func limits(attempt: Attempt) async throws {
        try await isStopped(attempt)
    }

    private func isStopped(_ attempt: Attempt) async throws {
        // Descriptors that the child must not have.
        let leaky = (0..<8).map { _ in open("/dev/null", O_WRONLY) }
        defer { leaky.forEach { close($0) } }
        let report = try await report(of: attempt.file) {
            $0.workerPath = Self.program
            $0.cpuSeconds = 1
            $0.memoryBytes = 256 << 20
            if attempt.name == "sleep" { $0.wallClock = .milliseconds(300) }
        }
        #expect(Self.isExpected(report.outcome, attempt.end), "\(attempt): \(report)")
        #expect(report.peakMemoryBytes < 300 << 20)
        _ = try await sharedProcessor.check()
    }

    private static func isExpected(_ outcome: WorkerOutcome, _ end: End) -> Bool {
        switch end {
        case .outcome(let label): return outcome.label == label
        case .killed: return isExpected(outcome, .signal(SIGSYS))
        case .signal(let number):
            guard case .crashed(let signal, _) = outcome else { return false }
            return signal == number
        case .refused(let code):
            guard case .crashed(0, let exitCode) = outcome else { return false }
            return exitCode == 100 + code
        }
    }

    @Test("workers leave no process and no descriptor behind")
    func leavesNothing() async throws {
        let attempts = (Self.single + Self.threaded).filter {
            !$0.name.hasPrefix("cpu") && $0.name != "sleep"
        }
        let before = try workerTraces()
        for attempt in attempts {
            _ = try await report(of: attempt.file) {
                $0.workerPath = Self.program
                $0.memoryBytes = 64 << 20
            }
        }
        try await expectNothingLeft(since: before)
    }

    /// Guard: the filter allows exactly the listed system calls and arguments (`CSandbox`)
    @Test("the filter lets live exactly these system calls", arguments: [false, true])
    func allowList(withThreads: Bool) throws {
        #if arch(x86_64)
        let output = try run(["sweep", withThreads ? "threaded" : "single"])
        var living = Set(output.split(separator: "\n").compactMap { Int($0) })
        // uretprobe and uprobe: newer kernels exempt them from filters, and a call has no effect.
        living.subtract([335, 336])
        // brk munmap mremap madvise futex getrandom clock_gettime gettimeofday restart_syscall exit_group
        let always: Set = [12, 11, 25, 28, 202, 318, 228, 96, 219, 231]
        // open openat readlink access newfstatat fstat sysinfo prlimit64
        let refused: Set = [2, 257, 89, 21, 262, 5, 99, 302]
        // set_robust_list rseq rt_sigprocmask exit sched_getaffinity sched_yield gettid clone3
        let forThreads: Set = [273, 334, 14, 60, 204, 24, 186, 435]
        // mmap, mprotect, pwrite64, write and, with threads, clone, rt_sigaction and prctl depend on arguments.
        #expect(living == always.union(refused).union(withThreads ? forThreads : []))
        #endif
    }

    /// Guard: a worker dies with its starter (CProcess `start`)
    @Test("a worker dies with the process that started it")
    func orphan() async throws {
        let parent = Process()
        let output = Pipe()
        parent.executableURL = URL(fileURLWithPath: Self.program)
        parent.arguments = ["parent", Self.program]
        parent.standardOutput = output
        try parent.run()
        let line = output.fileHandleForReading.availableData
        let child = try #require(Int32(String(decoding: line, as: UTF8.self).dropLast()))
        #expect(kill(child, 0) == 0)
        kill(parent.processIdentifier, SIGKILL)
        try await eventually { state(of: child) == nil }
    }

    /// Guard: a worker has no new privileges and is the first for the OOM killer (CProcess `start`)
    @Test("a worker is the first to go when memory runs out, and can regain no privileges")
    func world() async throws {
        let folder = try temporaryFolder()
        let path = try script("cat /proc/$$/oom_score_adj /proc/$$/status > \(folder)/world")
        defer { for path in [path, folder] { try? FileManager.default.removeItem(atPath: path) } }
        _ = try await report(of: [1]) { $0.workerPath = path }
        let world = try String(contentsOfFile: "\(folder)/world", encoding: .utf8)
        #expect(world.hasPrefix("1000\n"))
        #expect(world.contains("\nNoNewPrivs:\t1\n"))
        let own = try String(contentsOfFile: "/proc/self/oom_score_adj", encoding: .utf8)
        #expect(own != "1000\n")
    }

    static let program = TestProducts.path("hostile-worker")

    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }

    /// Nil when the process does not exist, or is a zombie.
    private func state(of process: Int32) -> String? {
        processes().first { $0.id == Int(process) && $0.state != "Z" }?.state
    }
}
