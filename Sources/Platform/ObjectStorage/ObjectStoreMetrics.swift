import Metrics

/// Runs an operation and records its duration by operation and outcome (`dayly_object_store_seconds`).
func measured<T: Sendable>(
    _ operation: String, _ body: () async throws(ObjectStoreError) -> T
) async throws(ObjectStoreError) -> T {
    let start = ContinuousClock.now
    func record(_ outcome: String) {
        Timer(
            label: "dayly_object_store_seconds",
            dimensions: [("operation", operation), ("outcome", outcome)]
        ).record(duration: ContinuousClock.now - start)
    }
    do {
        let result = try await body()
        record("ok")
        return result
    } catch {
        record(error.outcome)
        throw error
    }
}

extension ObjectStoreError {
    /// The label of the metric.
    var outcome: String {
        switch self {
        case .notFound: "not_found"
        case .unavailable: "unavailable"
        case .rejected: "rejected"
        case .corrupted: "corrupted"
        }
    }
}
