/// The parts of a job. A part that fails is tried again in the next run, and keeps no other from its work.
package struct Parts {
    private var failure: (any Error)?

    package init() {}

    /// - Parameter fallback: returned where the part fails.
    package mutating func run<Value>(or fallback: Value, _ part: () async throws -> Value) async -> Value {
        do {
            return try await part()
        } catch {
            failure = failure ?? error
            return fallback
        }
    }

    /// - Throws: the error of the first part that failed.
    package func finish() throws {
        if let failure { throw failure }
    }
}
