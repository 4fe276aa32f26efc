import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Turns the callbacks of a `URLSession` into streams.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
    private struct Transfer: Sendable {
        var head: CheckedContinuation<TransportHead, any Error>?
        var body: AsyncThrowingStream<Data, any Error>.Continuation
        var progress: (@Sendable (UploadProgress) -> Void)?
        var lastActivity = SuspendingClock.now
        var hasTimedOut = false
        var watchdog: Task<Void, Never>?
    }

    /// By the identifier of their task.
    private let transfers = Locked<[Int: Transfer]>([:])

    /// Starts a task and waits for the head of its answer.
    func run(
        _ task: URLSessionTask, idleTimeout: Duration, progress: (@Sendable (UploadProgress) -> Void)?
    ) async throws(TransportError) -> TransportStream {
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        // The reader has gone, or the transfer is over: then this does nothing.
        continuation.onTermination = { _ in task.cancel() }
        do {
            let head = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { head in
                    let transfer = Transfer(head: head, body: continuation, progress: progress)
                    transfers.withLock { $0[task.taskIdentifier] = transfer }
                    watch(task, idleTimeout)
                    task.resume()
                    if Task.isCancelled { task.cancel() }
                }
            } onCancel: {
                // A task that is cancelled before its transfer is known would end without anybody hearing of it. The line
                // above cancels it then.
                if transfers.withLock({ $0[task.taskIdentifier] != nil }) { task.cancel() }
            }
            return TransportStream(head: head, body: body)
        } catch {
            throw error as? TransportError ?? TransportError("\(error)")
        }
    }

    /// Cancels a task that has been silent for too long. On Linux a `URLRequest`'s own timeout is not always kept.
    private func watch(_ task: URLSessionTask, _ idleTimeout: Duration) {
        let id = task.taskIdentifier
        let watchdog = Task { [transfers] in
            while let last = transfers.withLock({ $0[id]?.lastActivity }), !Task.isCancelled {
                if last + idleTimeout <= .now {
                    transfers.withLock { $0[id]?.hasTimedOut = true }
                    return task.cancel()
                }
                try? await Task.sleep(until: last + idleTimeout, clock: .suspending)
            }
        }
        transfers.withLock { $0[id]?.watchdog = watchdog }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        takeHead(of: dataTask)?.resume(returning: TransportHead(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let body = transfers.withLock { transfers in
            transfers[dataTask.taskIdentifier]?.lastActivity = .now
            return transfers[dataTask.taskIdentifier]?.body
        }
        body?.yield(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        let progress = transfers.withLock { transfers in
            transfers[task.taskIdentifier]?.lastActivity = .now
            return transfers[task.taskIdentifier]?.progress
        }
        progress?(UploadProgress(sentBytes: totalBytesSent, totalBytes: totalBytesExpectedToSend))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
            return
        }
        transfer.watchdog?.cancel()
        let failure =
            transfer.hasTimedOut ? TransportError("timed out") : error.map(TransportError.init(urlSession:))
        transfer.head?.resume(throwing: failure ?? TransportError("the connection ended before an answer"))
        transfer.body.finish(throwing: failure)
    }

    /// No call of the service redirects, and a token must not follow a redirect to another host.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private func takeHead(of task: URLSessionTask) -> CheckedContinuation<TransportHead, any Error>? {
        transfers.withLock { transfers in
            defer { transfers[task.taskIdentifier]?.head = nil }
            transfers[task.taskIdentifier]?.lastActivity = .now
            return transfers[task.taskIdentifier]?.head
        }
    }
}

extension TransportHead {
    init(_ response: URLResponse) {
        let answer = response as? HTTPURLResponse
        self.init(status: answer?.statusCode ?? 0)
        for (name, value) in answer?.allHeaderFields ?? [:] {
            headers["\(name)"] = "\(value)"
        }
    }
}

extension TransportError {
    fileprivate init(urlSession error: any Error) {
        let code = (error as? URLError)?.code
        self.init("\(error.localizedDescription)", isCancelled: code == .cancelled)
    }
}
