import Testing

/// Runs `body` for each case, all at once, and says which case an error is of.
func forEach<Case: Sendable>(
    _ cases: [Case], _ body: @escaping @Sendable (Case) async throws -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        for item in cases {
            group.addTask {
                do {
                    try await body(item)
                } catch {
                    Issue.record(error, "\(item)")
                }
            }
        }
    }
}
