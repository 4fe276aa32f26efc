import Foundation
import PhotoWorkers

/// Whether pictures can be decoded, for `/readyz`. A check decodes a built-in picture now and then; between checks the last
/// result holds. A busy decoder does not count as a failure.
actor DecoderHealth {
    private let path: String
    private let check: @Sendable () async throws(PhotoWorkerError) -> Void
    private let interval: Duration
    private var failure: PhotoWorkerError?
    private var triedAt: ContinuousClock.Instant?
    private var running: Task<Void, Never>?

    /// - Parameters:
    ///   - path: The program. Its existence is checked each time.
    ///   - interval: The time for which a good result holds. A bad result holds for a second.
    init(
        path: String, interval: Duration = .seconds(30),
        check: @escaping @Sendable () async throws(PhotoWorkerError) -> Void
    ) {
        self.path = path
        self.interval = interval
        self.check = check
    }

    /// Waits for a check only if the last result was bad or there is none.
    ///
    /// - Throws: `PhotoWorkerError`.
    func requireWorking() async throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw PhotoWorkerError.unavailable("\(path) is not a program")
        }
        if running == nil, isDue { running = Task { await tryOnce() } }
        if triedAt == nil || failure != nil { await running?.value }
        if let failure { throw failure }
    }

    private var isDue: Bool {
        guard let triedAt else { return true }
        return triedAt.duration(to: .now) >= (failure == nil ? interval : .seconds(1))
    }

    private func tryOnce() async {
        do {
            try await check()
            failure = nil
        } catch .overloaded {
            // The last result holds, because uploads are using the decoders.
        } catch {
            failure = error
        }
        triedAt = .now
        running = nil
    }
}
