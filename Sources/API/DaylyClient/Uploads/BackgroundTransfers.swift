import Foundation

/// Sends files while the app does not run. Apple's systems have such a service; elsewhere, and in tests, a stand-in may
/// take its place.
package protocol BackgroundTransfers: Sendable {
    /// Hands a request over to the system, which sends it until it has an answer.
    func start(_ request: TransportRequest, from file: URL, id: UUID) async
    /// The transfers that the system has, also from an earlier process, and those whose result was not taken yet.
    func running() async -> Set<UUID>
    func cancel(_ id: UUID) async
    /// The results as they come, also of transfers from an earlier process.
    var results: AsyncStream<BackgroundResult> { get }
    /// Called when a result was carried out. Before that the system must not suspend the app.
    func took(_ id: UUID)
}

/// The end of a transfer in the background.
package struct BackgroundResult: Sendable {
    package var id: UUID
    package var result: Result<TransportResponse, TransportError>

    package init(id: UUID, result: Result<TransportResponse, TransportError>) {
        self.id = id
        self.result = result
    }
}
