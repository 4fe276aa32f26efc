import Logging
import NIOPosix
import Synchronization

/// The web client in force. In development its folder is looked at again for every page, so that an edit shows at the next
/// reload.
final class WebClientSource: Sendable {
    private struct State {
        var client: WebClient
        var stamp: WebFolder.Stamp
    }

    private let folder: WebFolder
    private let deployment: WebClient.Deployment
    private let isReread: Bool
    private let logger: Logger
    private let state: Mutex<State>

    /// - Throws: `WebFolderError`, and the errors of reading.
    init(
        _ folder: WebFolder, deployment: WebClient.Deployment, isReread: Bool, logger: Logger
    ) async throws {
        self.folder = folder
        self.deployment = deployment
        self.isReread = isReread
        self.logger = logger
        state = Mutex(try await Self.onThread { try Self.read(folder, deployment) })
    }

    /// The client whose files are answered.
    var latest: WebClient { state.withLock { $0.client } }

    /// The client for a new page.
    func current() async -> WebClient {
        guard isReread else { return latest }
        let (folder, deployment, stamp) = (folder, deployment, state.withLock { $0.stamp })
        do {
            let changed = try await Self.onThread {
                try folder.stamp() == stamp ? nil : try Self.read(folder, deployment)
            }
            if let changed { state.withLock { $0 = changed } }
        } catch {
            // An editor may be in the middle of writing. The last version that could be read is served until then.
            logger.warning("the web client's folder cannot be read", metadata: ["error": "\(error)"])
        }
        return latest
    }

    private static func read(_ folder: WebFolder, _ deployment: WebClient.Deployment) throws -> State {
        // The stamp comes first: a file that changes in between is read again the next time.
        let stamp = try folder.stamp()
        return State(client: try WebClient(files: folder.files(), deployment: deployment), stamp: stamp)
    }

    /// Files are read on a thread that may block.
    private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
