import Foundation

/// Repeats idempotent requests that got no answer or were refused for a while.
package struct RetryingTransport: Sendable {
    package let transport: any HTTPTransport
    package let policy: RetryPolicy
    package let clock: any ClientClock

    /// An answer with any status, or the reason why there is none.
    package typealias Outcome = Result<TransportResponse, DaylyError>

    package init(_ transport: any HTTPTransport, policy: RetryPolicy, clock: any ClientClock) {
        self.transport = transport
        self.policy = policy
        self.clock = clock
    }

    /// - Returns: the last answer, whatever its status. A repeated deletion that finds nothing has succeeded.
    package func send(
        _ request: TransportRequest, isIdempotent: Bool
    ) async throws(DaylyError) -> TransportResponse {
        var attempt = 1
        var mayHaveArrived = false
        while true {
            let outcome = await outcome(of: request)
            guard isIdempotent, let pause = pause(after: outcome, attempt: attempt) else {
                let response = try outcome.get()
                let isDone = mayHaveArrived && Self.findsNothing(response, to: request)
                guard isDone else { return response }
                return TransportResponse(TransportHead(status: 204, headers: response.headers))
            }
            mayHaveArrived = mayHaveArrived || Self.mayHaveArrived(outcome)
            try await sleep(for: pause)
            attempt += 1
        }
    }

    /// Whether the service may have carried out a request although its answer did not come.
    private static func mayHaveArrived(_ outcome: Outcome) -> Bool {
        guard case .success(let response) = outcome else { return true }
        return [502, 504].contains(response.status)
    }

    private static func findsNothing(_ response: TransportResponse, to request: TransportRequest) -> Bool {
        request.method == .delete && DaylyError(refusal: response).code == .notFound
    }

    /// Sends the request once.
    func outcome(of request: TransportRequest) async -> Outcome {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(DaylyError(error))
        }
    }

    /// The pause before the next attempt; nil when the outcome stands.
    func pause(after outcome: Outcome, attempt: Int) -> Duration? {
        switch outcome {
        case .failure(.networkUnavailable):
            return policy.pause(afterAttempt: attempt, retryAfter: nil)
        case .success(let response) where RetryPolicy.isTransient(response.status):
            let seconds = response.headers.retryAfter.map { Duration.seconds($0) }
            return policy.pause(afterAttempt: attempt, retryAfter: seconds)
        default: return nil
        }
    }

    func sleep(for pause: Duration) async throws(DaylyError) {
        do { try await clock.sleep(for: pause) } catch { throw .cancelled }
    }
}
