import DaylyAPI
import Foundation

/// The changes in the user's groups, as they happen:
///
///     for try await event in client.events { … }
///
/// All loops share one connection, which begins with the first of them and ends with the last. It resumes after every
/// interruption without loss or repetition. A loop ends with the session, or with its task.
public struct DaylyEventStream: AsyncSequence, Sendable {
    public typealias Element = DaylyEvent

    let connection: EventConnection

    public func makeAsyncIterator() -> AsyncThrowingStream<DaylyEvent, any Error>.Iterator {
        AsyncThrowingStream<DaylyEvent, any Error> { reader in
            Task { await connection.add(reader) }
        }
        .makeAsyncIterator()
    }
}

extension DaylyEventStream {
    /// - Parameter random: numbers from 0 to 1.
    package init(
        requests: RequestBuilder, authorized: any AuthorizedTransport, clock: any ClientClock = SystemClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        connection = EventConnection(
            requests: requests, authorized: authorized, clock: clock, random: random)
    }

    /// Ends all loops and forgets the cursor, as at sign-out.
    package func end() async {
        await connection.end(nil)
    }
}
