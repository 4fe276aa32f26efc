import DaylyClient
import DaylyAPI
import Foundation

/// The one call of the queue.
struct PhoneSyncSender<Product: PhoneSyncProduct>: Sendable {
    typealias Message = Product.Event.Message

    let requests: RequestBuilder
    let authorized: any AuthorizedTransport

    /// The events that fit into one sync, of the oldest ones.
    static func batch(
        _ events: [Message], into sync: PhoneSync<Message>
    ) throws(DaylyError) -> [Message] {
        var bytes = try ClientJSON.encode(Product.request(sync)).count
        var batch: [Message] = []
        for event in events.prefix(PhoneSyncLimits.mostEvents) {
            // With the comma before it.
            bytes += try ClientJSON.encode(event).count + 1
            guard bytes <= PhoneSyncLimits.mostBytes else { break }
            batch.append(event)
        }
        return batch
    }

    /// One attempt: the queue has waits of its own.
    func send(
        _ sync: PhoneSync<Message>
    ) async throws(DaylyError) -> PhoneSyncReceived<Product.Other, Product.Synced> {
        let request = try requests.request(Product.operation, json: Product.request(sync))
        let answer: Product.Answer = try ClientJSON.decode(
            from: await authorized.send(request, isIdempotent: false))
        return Product.received(answer)
    }
}

/// The most that the service takes at once.
enum PhoneSyncLimits {
    static let mostEvents = 500
    static let mostBytes = 256 << 10
}

extension PhoneSyncMachine.Outcome {
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
