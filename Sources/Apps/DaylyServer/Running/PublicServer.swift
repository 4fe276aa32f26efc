import HTTPKit
import Hummingbird
import ServiceLifecycle

/// The public server. At shutdown it closes its listener and ends the streams of events, which do not end by themselves.
struct PublicServer: Service {
    let listener: Listener<Application<AppResponder>>
    let endStreams: @Sendable () async -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            group.addTask {
                try? await gracefulShutdown()
                await endStreams()
            }
            while try await group.next() != nil {}
        }
    }
}
