import DaylyTesting
import StoreTesting

extension World {
    /// Runs `body` in a world whose programs take the purchases of an App Store of its own. Its photos are hardly ever swept,
    /// because they have no part in it.
    static func runWithStore<Value: Sendable>(
        _ settings: [String: String],
        _ body: @escaping @Sendable (World, TestAppStore) async throws -> Value
    ) async throws -> Value {
        let (store, folder) = (try TestAppStore(), try TemporaryFolder())
        defer { withExtendedLifetime(folder) {} }
        let base = [
            "photos.sweep_interval": "240s", "app_store.bundle_id": TestAppStore.bundleID,
            "app_store.root_certificates": try folder.write("roots.pem", store.rootPEM),
        ]
        return try await World.run(base.merging(settings) { $1 }) { try await body($0, store) }
    }
}
