/// Mends rows that make the server refuse statements, so that the refused one may run again. Callers at the same time share a
/// run.
package actor DataRepair {
    private var action: (@Sendable () async throws -> Void)?
    private var running: Task<Void, any Error>?

    package init() {}

    package func set(_ action: (@Sendable () async throws -> Void)?) { self.action = action }

    /// - Returns: false where nothing can be mended.
    func run() async -> Bool {
        guard let action else { return false }
        let run = running ?? Task { try await action() }
        running = run
        defer { if running == run { running = nil } }
        return await (try? run.value) != nil
    }
}
