import Foundation
import PhotoWorkers

/// Whether pictures can be decoded, for `/readyz`. A decoder is tried now and then, on a built-in picture; in between
/// the last result holds. A decoder that is busy is not a decoder that fails.
actor DecoderHealth {
    private let path: String
    private let check: @Sendable () async throws(PhotoWorkerError) -> Void
    private let interval: Duration
    private var failure: PhotoWorkerError?
    private var triedAt: ContinuousClock.Instant?
    private var running: Task<Void, Never>?

    /// - Parameters:
    ///   - path: the program; it is looked for each time.
    ///   - interval: how long a good result holds. A bad one holds for a second.
    init(
        path: String, interval: Duration = .seconds(30),
        check: @escaping @Sendable () async throws(PhotoWorkerError) -> Void
    ) {
        self.path = path
        self.interval = interval
        self.check = check
    }

    /// Waits for a try only where the last result was bad, or where there is none.
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
            // The last result holds: uploads are under way.
        } catch {
            failure = error
        }
        triedAt = .now
        running = nil
    }
}
