#if os(iOS) || os(macOS)
import Foundation

/// Uploads by the system, which goes on while the app is suspended or has ended. This file is parsed on Linux and was not
/// run on a device.
///
/// The system finds an earlier process's transfers again by their session's identifier, and the queue finds their items by
/// the task's description. After a kill by the user the system drops its tasks: the queue starts those again.
public final class BackgroundUploads: BackgroundTransfers {
    private let session: URLSession
    private let delegate = BackgroundUploadDelegate()

    /// - Parameters:
    ///   - identifier: the same at each launch, and another for an extension.
    ///   - sharedContainer: the app group of an extension.
    public init(identifier: String, sharedContainer: String? = nil) {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.sharedContainerIdentifier = sharedContainer
        configuration.sessionSendsLaunchEvents = true
        configuration.isDiscretionary = false
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        // A ticket lives as long.
        configuration.timeoutIntervalForResource = 24 * 3600
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    package var results: AsyncStream<BackgroundResult> { delegate.results }

    /// For `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    public func handleEvents(completion: @escaping @Sendable () -> Void) {
        delegate.events.withLock {
            $0.areDelivered = false
            $0.completion = completion
        }
    }

    package func start(_ request: TransportRequest, from file: URL, id: UUID) async {
        let task = session.uploadTask(with: request.urlRequest, fromFile: file)
        task.taskDescription = id.uuidString
        task.resume()
    }

    package func running() async -> Set<UUID> {
        let tasks = await session.allTasks.compactMap(\.itemID)
        return delegate.events.withLock { $0.untaken }.union(tasks)
    }

    package func took(_ id: UUID) {
        delegate.end { _ = $0.untaken.remove(id) }
    }

    package func cancel(_ id: UUID) async {
        for task in await session.allTasks where task.itemID == id { task.cancel() }
    }
}

/// The end of the time that the system gives the app for its results.
private struct BackgroundUploadEvents: Sendable {
    /// The transfers whose result the queue has not carried out.
    var untaken: Set<UUID> = []
    var areDelivered = false
    var completion: (@Sendable () -> Void)?

    /// The completion, if it is to be called now. It is called once.
    mutating func takeCompletion() -> (@Sendable () -> Void)? {
        guard areDelivered, untaken.isEmpty else { return nil }
        defer { completion = nil }
        return completion
    }
}

private final class BackgroundUploadDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let results: AsyncStream<BackgroundResult>
    let events = Locked(BackgroundUploadEvents())
    private let reader: AsyncStream<BackgroundResult>.Continuation
    private let bodies = Locked<[Int: Data]>([:])

    override init() {
        (results, reader) = AsyncStream<BackgroundResult>.makeStream()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bodies.withLock { $0[dataTask.taskIdentifier, default: Data()].append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = bodies.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let id = task.itemID else { return }
        events.withLock { _ = $0.untaken.insert(id) }
        if let error {
            let isCancelled = (error as? URLError)?.code == .cancelled
            let failure = TransportError(error.localizedDescription, isCancelled: isCancelled)
            reader.yield(BackgroundResult(id: id, result: .failure(failure)))
        } else if let response = task.response, response.url == task.originalRequest?.url {
            let answer = TransportResponse(TransportHead(response), body: body ?? Data())
            reader.yield(BackgroundResult(id: id, result: .success(answer)))
        } else {
            // The system follows redirects in the background and asks nobody. No call of the service redirects, so what
            // answered is not the service. The token is a ticket for this one upload.
            let redirected = TransportResponse(TransportHead(status: 307))
            reader.yield(BackgroundResult(id: id, result: .success(redirected)))
        }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        end { $0.areDelivered = true }
    }

    /// Changes what is missing to the end, and lets the system suspend the app when nothing is.
    func end(_ change: (inout BackgroundUploadEvents) -> Void) {
        let completion = events.withLock { events in
            change(&events)
            return events.takeCompletion()
        }
        // UIKit wants this call on the main thread.
        if let completion { DispatchQueue.main.async(execute: completion) }
    }
}

extension URLSessionTask {
    fileprivate var itemID: UUID? { taskDescription.flatMap(UUID.init) }
}
#endif
