import DaylyTesting
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import PhotoWorkers

@Suite("The image processor")
struct ImageProcessorTests {
    @Test("the worker that was built beside the tests works in its sandbox")
    func check() async throws {
        try await makeProcessor().check()
    }

    @Test("when all workers are busy and the queue is full, one more is refused")
    func overload() async throws {
        let path = try script("sleep 30")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let processor = makeProcessor {
            $0.workerPath = path
            $0.maxConcurrent = 1
            $0.queueSize = 2
        }
        let refused = Mutex(0)
        await withTaskGroup(of: PhotoWorkerError?.self) { group in
            for _ in 0..<5 {
                group.addTask { await outcome(of: [1], processor: processor).error }
            }
            for await error in group {
                if error == .overloaded { refused.withLock { $0 += 1 } }
                if refused.withLock({ $0 }) == 2 { group.cancelAll() }
            }
        }
        #expect(refused.withLock { $0 } == 2)
    }

    @Test("200 photos leave no process and no descriptor behind")
    func leaks() async throws {
        let picture = TestPicture.quarters(80, 60)
        let files = [picture.jpeg(), picture.png(), Array(picture.jpeg().dropLast(40)), [1, 2, 3]]
        let before = try workerTraces()
        do {
            let processor = makeProcessor { $0.queueSize = 200 }
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask { _ = await outcome(of: files[index % files.count], processor: processor) }
                }
            }
        }
        try await expectNothingLeft(since: before)
    }

    @Test("a decoding worker sits in its sandbox")
    func sandbox() async throws {
        let file = TestPicture.textured(4000, 4000).png()
        let processor = makeProcessor()
        let task = Task { try await processor.process(.of(ByteBuffer(bytes: file)), for: UUID()) }
        var seen: [String: String] = [:]
        try await eventually {
            for child in processes() where child.parent == Int(getpid()) && child.name == "photo-worker" {
                let status = (try? String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)) ?? ""
                for line in status.split(separator: "\n") {
                    let parts = line.split(separator: "\t")
                    if parts.count == 2, parts[1] != "0" { seen[String(parts[0])] = String(parts[1]) }
                }
                if seen["Seccomp:"] != nil { return true }
            }
            return false
        }
        #expect(seen["Seccomp:"] == "2" && seen["NoNewPrivs:"] == "1")
        _ = try await task.value
    }

    @Test("the worker is looked for beside the executable, then in libexec/dayly")
    func path() {
        let installed = "/opt/dayly/libexec/dayly/photo-worker"
        let beside = "/opt/dayly/bin/photo-worker"
        let cases = [([], beside), ([installed], installed), ([installed, beside], beside)]
        for (present, expected) in cases {
            let found = ImageProcessorConfiguration.defaultWorkerPath(
                executable: "/opt/dayly/bin/dayly", exists: present.contains)
            #expect(found == expected)
        }
        #expect(FileManager.default.isExecutableFile(atPath: ImageProcessorConfiguration.defaultWorkerPath()))
    }
}

/// Each process that this one started and has not collected, and each descriptor that belongs to a worker.
func workerTraces() throws -> Set<String> {
    let children = processes().filter { $0.parent == Int(getpid()) }.map { "process \($0.id)" }
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let descriptors = numbers.compactMap { number in
        let path = "/proc/self/fd/\(number)"
        let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
        guard target.hasPrefix("/memfd:") || target.hasSuffix("[pidfd]") || target.hasSuffix("/status")
        else { return nil as String? }
        // A number is used again, and for another thing then: another file, or another process.
        var file = stat()
        fstat(Int32(number) ?? -1, &file)
        let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)) ?? ""
        let process = info.split(separator: "\n").first { $0.hasPrefix("Pid:") } ?? ""
        return "\(number) \(target) \(file.st_ino) \(process)"
    }
    return Set(children + descriptors)
}

/// Waits until nothing is left of what workers have left since `before`. Workers of other tests, which run meanwhile, end; a
/// leak stays.
func expectNothingLeft(since before: Set<String>) async throws {
    let left = try workerTraces().subtracting(before)
    try await eventually(within: .seconds(1_500)) { try workerTraces().isDisjoint(with: left) }
}
