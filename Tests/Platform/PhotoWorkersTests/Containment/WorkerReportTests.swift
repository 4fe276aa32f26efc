import Foundation
import Testing

@testable import PhotoWorkers

/// The report of a worker's run besides its outcome.
@Suite("A worker's report")
struct WorkerReportTests {
    @Test("the memory that a worker held at most is told, and not what its starter holds")
    func peakMemory() async throws {
        let large = try script("exec python3 -c 'import time; x = b\"x\" * (150 << 20); time.sleep(0.3)'")
        let small = try script("sleep 0.3")
        defer { for path in [large, small] { try? FileManager.default.removeItem(atPath: path) } }
        let peak = try await report(of: [1]) { $0.workerPath = large }.peakMemoryBytes
        #expect(peak > 150 << 20 && peak < 400 << 20)
        #expect(try await report(of: [1]) { $0.workerPath = small }.peakMemoryBytes < 16 << 20)
    }
}
