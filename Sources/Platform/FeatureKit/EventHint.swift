import Foundation
import Postgres

/// Tells users' clients over their streams that something has changed, without saying what: clients fetch it. A hint has
/// no `id`, is in no log and is not repeated. One that is lost, for example while a client reconnects, is not sent again.
package struct EventHint: Sendable, Equatable {
    /// The channel of all signals for streams. A process listens to one channel.
    package static let channel = "dayly_group_events"
    /// The number of users whose ids fit into one notification of PostgreSQL.
    private static let maxUsers = 150

    /// The field `event`.
    package let name: String
    /// The field `data`: JSON without line breaks.
    package let data: String
    package let users: [UserID]
    /// A stream sends at most one hint with the same topic in each `interval`. The last one that comes too early is sent at the
    /// interval's end.
    package let topic: String
    package let interval: Duration

    /// - Parameters:
    ///   - topic: without blanks; nil: the name.
    ///   - interval: in whole seconds.
    package init(
        _ name: String, data: String = "{}", to users: [UserID], topic: String? = nil,
        interval: Duration = .zero
    ) {
        self.name = name
        self.data = data
        self.users = users
        self.topic = topic ?? name
        self.interval = interval
    }

    /// Sends the hint after the commit. It reaches the clients of all processes by NOTIFY.
    package func post(_ tx: PostgresTransaction) {
        for start in stride(from: 0, to: users.count, by: Self.maxUsers) {
            let some = users[start..<min(start + Self.maxUsers, users.count)]
            tx.signal(CommitSignal(channel: Self.channel, payload: payload(for: some)))
        }
    }

    private func payload(for users: some Sequence<UserID>) -> String {
        let ids = users.map { $0.rawValue.uuidString.lowercased() }.joined(separator: ",")
        return "hint \(Int(interval / .seconds(1))) \(topic) \(name) \(ids) \(data)"
    }

    /// Nil when the line of a notification is not a hint.
    package init?(payload: some StringProtocol) {
        let parts = payload.split(separator: " ", maxSplits: 5)
        guard parts.count == 6, parts[0] == "hint", let seconds = Int(parts[1]) else { return nil }
        self.init(
            String(parts[3]), data: String(parts[5]),
            to: parts[4].split(separator: ",").compactMap { UUID(uuidString: String($0)) }.map { UserID($0) },
            topic: String(parts[2]), interval: .seconds(seconds))
    }
}
