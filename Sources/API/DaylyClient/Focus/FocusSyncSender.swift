import DaylyAPI
import Foundation

/// The one call of the queue.
struct FocusSyncSender: Sendable {
    /// The most events that the service takes at once, and the longest body.
    static let mostEvents = 500
    static let mostBytes = 256 << 10

    let requests: RequestBuilder
    let authorized: any AuthorizedTransport

    /// The events that fit into one sync, of the oldest ones.
    static func batch(
        _ events: [FocusSyncEvent], into sync: FocusSync
    ) throws(DaylyError) -> [FocusSyncEvent] {
        var bytes = try ClientJSON.encode(sync).count
        var batch: [FocusSyncEvent] = []
        for event in events.prefix(mostEvents) {
            // With the comma before it.
            bytes += try ClientJSON.encode(event).count + 1
            guard bytes <= mostBytes else { break }
            batch.append(event)
        }
        return batch
    }

    /// One attempt: the queue has waits of its own.
    func send(_ sync: FocusSync) async throws(DaylyError) -> FocusSyncAnswer {
        let request = try requests.request(.syncFocus, json: sync)
        return try ClientJSON.decode(from: await authorized.send(request, isIdempotent: false))
    }
}

extension FocusSyncMachine.Outcome {
    /// The part of an error that the rules of the queue distinguish.
    init(_ error: DaylyError) {
        switch error {
        case .problem(let problem):
            self = .refused(
                status: problem.status, code: problem.code,
                retryAfter: problem.retryAfter.map { .seconds($0) })
        case .signedOut: self = .signedOut
        case .cancelled: self = .cancelled
        default: self = .unanswered
        }
    }
}
