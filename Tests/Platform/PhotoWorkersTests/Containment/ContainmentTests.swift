import DaylyTesting
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import PhotoWorkers

/// Tests workers that behave like a decoder under the control of a hostile picture.
/// Guard: seccomp, CPU and memory limits, no environment, no descriptors, sealed input and output, the whole
/// group killed (`CProcess`, `CSandbox`)
@Suite("A hostile worker")
struct ContainmentTests {
    /// Guard: a worker that hangs or is slow by itself is its picture's fault
    /// (`WorkerOutcome.init(overdueAfter:…)`)
    @Test("a worker that hangs is killed after its time, with every process that it started")
    func hangs() async throws {
        let marker = "31.\(UInt32.random(in: 1...999_999))"
        var elapsed = Duration.zero
        let label = try await label(of: "sleep \(marker) & sleep \(marker)") {
            $0.wallClock = .milliseconds(500)
        } measured: {
            elapsed = $0
        }
        #expect(label == "time_limit")
        #expect(elapsed < .seconds(20))
        try await eventually { !processes().contains { $0.arguments.contains(marker) } }
    }

    @Test("a worker that burns CPU is stopped by its limit")
    func burns() async throws {
        let label = try await label(of: "while :; do :; done") {
            $0.cpuSeconds = 1
            $0.wallClock = .seconds(60)
        }
        #expect(label == "cpu_limit")
    }

    @Test("a worker that crashes costs its sender an error", arguments: ["SEGV", "ABRT", "ILL", "SYS"])
    func crashes(signal: String) async throws {
        #expect(try await label(of: "kill -\(signal) $$") == "crashed")
    }

    /// Guard: a worker killed by the machine is not its picture's fault (`WorkerOutcome`)
    @Test("a kill from outside is not the picture's fault, unless the worker held much memory")
    func killed() async throws {
        #expect(try await label(of: "kill -KILL $$") == "killed")
        let large =
            "exec python3 -c 'import os, time; x = b\"x\" * (80 << 20); time.sleep(0.2); os.kill(0, 9)'"
        #expect(try await label(of: large) { $0.memoryBytes = 150 << 20 } == "memory_limit")
    }

    /// Guard: a worker that got too little CPU time is not its picture's fault
    /// (`WorkerOutcome.init(overdueAfter:…)`, CProcess `process_is_awake`)
    @Test("a worker that got next to no CPU time is not its picture's fault")
    func starved() async throws {
        // Idle priority beside a busy process on the same processor.
        let script = """
            cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status)
            taskset -pc $cpu $$ >&2
            (while :; do :; done) &
            chrt -i -p 0 $$
            while :; do :; done
            """
        let report = try await self.report(of: script) { $0.wallClock = .seconds(2) }
        #expect(report.outcome.label == "starved", "\(report)")
        #expect(throws: PhotoWorkerError.overloaded) { try report.outcome.get() }
    }

    /// Guard: a worker that got too little CPU time is not its picture's fault
    /// (`WorkerOutcome.init(overdueAfter:…)`, CProcess `process_is_awake`)
    @Test("a worker that an operator stopped is not its picture's fault")
    func stopped() async throws {
        #expect(try await label(of: "kill -STOP $$") { $0.wallClock = .milliseconds(500) } == "starved")
    }

    /// Guard: a worker that hangs or is slow by itself is its picture's fault
    /// (`WorkerOutcome.init(overdueAfter:…)`)
    @Test("a worker that ran for half of its time or slept at its end was too slow by itself")
    func slow() {
        func label(_ cpuSeconds: Double, awake: Bool) -> String {
            WorkerOutcome(overdueAfter: cpuSeconds, wasAwake: awake, limits: testConfiguration).label
        }
        #expect(label(29, awake: true) == "starved")
        #expect(label(30, awake: true) == "time_limit")
        #expect(label(0, awake: false) == "time_limit")
    }

    @Test("a worker with an unknown exit code has crashed", arguments: [1, 9, 16, 126, 255])
    func strangeEnd(code: Int) async throws {
        #expect(try await label(of: "exit \(code)") == "crashed")
    }

    @Test(
        "a worker without a valid answer is not trusted",
        arguments: [
            "exit 0", "head -c 100000 /dev/urandom >&1",
            "printf 'DLY1\\001\\000\\000\\000'; head -c 300 /dev/zero | tr '\\000' '\\377'",
        ])
    func rubbish(script: String) async throws {
        #expect(try await label(of: script) == "invalid_answer")
    }

    @Test("a worker that writes too much fills only its own file")
    func floods() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = "head -c 100000000 /dev/zero >&1; stat -L -c %s /proc/self/fd/1 > \(folder)/size; exit 0"
        #expect(try await label(of: script) == "invalid_answer")
        let size = try String(contentsOfFile: "\(folder)/size", encoding: .utf8)
        #expect(Int(size.dropLast()) ?? .max < 20 << 20)
    }

    @Test("a worker that needs more memory than its limit fails")
    func memory() async throws {
        let script = "exec python3 -c 'bytearray(300 << 20)'"
        #expect(try await label(of: script) == "invalid_answer")
        #expect(try await label(of: script) { $0.memoryBytes = 200 << 20 } == "crashed")
    }

    /// Guard: decoders get the time that requests leave over (CProcess `limit_self`)
    @Test("a worker has no environment, three descriptors and its limits")
    func world() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = """
            cat /proc/$$/environ > \(folder)/environment
            ls /proc/$$/fd > \(folder)/descriptors
            cat /proc/$$/limits > \(folder)/limits
            cut -d ' ' -f 19 /proc/$$/stat > \(folder)/niceness
            """
        // A descriptor without close-on-exec, which the worker must not get either.
        let leaky = open("/dev/null", O_RDONLY)
        defer { close(leaky) }
        #expect(try await label(of: script) == "invalid_answer")
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        #expect(try read("environment").isEmpty)
        let descriptors = try read("descriptors").split(separator: "\n").compactMap { Int($0) }
        // The shell keeps its script open at 10 or above.
        #expect(descriptors.filter { $0 < 10 } == [0, 1, 2])
        #expect(Int(try read("niceness").dropLast()) == min(19, Int(nice(0)) + 10))
        let limits = try read("limits")
        for limit in [
            "cpu time +6 +7", "core file size +0 +0", "open files +16 +16", "address space +1073741824",
        ] {
            #expect(limits.range(of: limit, options: .regularExpression) != nil, "\(limit) in \(limits)")
        }
    }

    @Test("the photo's bytes cannot be changed, nor the answer's size")
    func seals() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = """
            exec python3 -c '
            import os
            def tries(name, act):
                try: act(); open("\(folder)/" + name, "w")
                except OSError: pass
            tries("wrote", lambda: os.pwrite(0, b"x", 0))
            tries("shrank", lambda: os.ftruncate(0, 1))
            tries("answer-shrank", lambda: os.ftruncate(1, 1))
            tries("answer-grew", lambda: os.ftruncate(1, 1 << 30))
            tries("done", lambda: None)
            '
            """
        #expect(try await label(of: script) == "invalid_answer")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["done"])
    }

    @Test("a worker that is missing or not a program is the service's fault, not the photo's")
    func missing() async throws {
        for path in ["/nowhere/photo-worker", "/etc/passwd"] {
            let error = await outcome(of: [1], processor: makeProcessor { $0.workerPath = path }).error
            guard case .unavailable = error else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a cancelled task kills its worker")
    func cancellation() async throws {
        let marker = "3200.\(UInt32.random(in: 1...999_999))"
        let path = try script("exec sleep \(marker)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let processor = makeProcessor { $0.workerPath = path }
        let task = Task { try await processor.process(.of(ByteBuffer(string: "x")), for: UUID()) }
        try await eventually { processes().contains { $0.arguments.contains(marker) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually { !processes().contains { $0.arguments.contains(marker) } }
    }

    /// The outcome of a run with this shell script as the worker.
    private func label(
        of text: String, _ change: (inout ImageProcessorConfiguration) -> Void = { _ in },
        measured: (Duration) -> Void = { _ in }
    ) async throws -> String {
        let report = try await self.report(of: text, change)
        measured(report.duration)
        return report.outcome.label
    }

    private func report(
        of text: String, _ change: (inout ImageProcessorConfiguration) -> Void = { _ in }
    ) async throws -> WorkerRun.Report {
        let path = try script(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await PhotoWorkersTests.report(of: Array("picture".utf8)) {
            $0.workerPath = path
            change(&$0)
        }
    }
}

/// An executable shell script in a file of its own.
func script(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("worker-\(UUID().uuidString)")
        .path
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    // A process that another test starts just now has the file open for writing until its exec, and so long nobody can
    // execute it. A lease for reading (F_SETLEASE) is given when no writer is left.
    let file = open(path, O_RDONLY)
    defer { close(file) }
    while fcntl(file, 1024, 0) != 0, errno == EAGAIN { usleep(1_000) }
    return path
}

func temporaryFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("imaging-\(UUID().uuidString)")
        .path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

struct RunningProcess {
    let id: Int
    let state: String
    let parent: Int
    let name: String
    let arguments: [String]
}

/// Every process on this machine.
func processes() -> [RunningProcess] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { Int($0) }.compactMap { id in
        guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let open = status.firstIndex(of: "("), let close = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[status.index(after: close)...].split(separator: " ")
        let arguments = (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)) ?? ""
        return RunningProcess(
            id: id, state: String(fields[0]), parent: Int(fields[1]) ?? 0,
            name: String(status[status.index(after: open)..<close]),
            arguments: arguments.split(separator: "\0").map(String.init))
    }
}
