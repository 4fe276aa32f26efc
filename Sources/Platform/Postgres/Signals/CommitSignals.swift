import CPostgres
import Synchronization

/// A hint about a transaction, sent after its commit: something has changed, and where to look.
package struct CommitSignal: Sendable, Hashable {
    package let channel: String
    /// Must not hold line breaks, because a notification carries one payload per line.
    package let payload: String

    package init(channel: String, payload: String = "") {
        self.channel = channel
        self.payload = payload
    }
}

/// Delivers the signals of committed transactions to the subscribers of their channel in this process. All clients with
/// the same `CommitSignals` in their configuration share it.
///
/// A transaction sends a signal with `PostgresTransaction.signal`, or in SQL with `RAISE INFO`, SQLSTATE DY001 and a
/// message of channel, space and payload. Other processes get it from a `CommitNotifier`. Signals are hints: a signal
/// may come twice, and the signals of a killed process are lost.
package final class CommitSignals: Sendable {
    private typealias Handler = @Sendable ([CommitSignal]) -> Void

    private struct State {
        var handlers: [Int: Handler] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// A subscription; it ends when its last reference goes away.
    package final class Subscription: Sendable {
        private let cancel: @Sendable () -> Void

        fileprivate init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

        deinit { cancel() }
    }

    /// - Parameter handle: called on a connection's thread after the commit; it must not block.
    package func subscribe(
        to channels: Set<String>, _ handle: @escaping @Sendable ([CommitSignal]) -> Void
    ) -> Subscription {
        let id = state.withLock { state in
            state.next += 1
            state.handlers[state.next] = { signals in
                let wanted = signals.filter { channels.contains($0.channel) }
                if !wanted.isEmpty { handle(wanted) }
            }
            return state.next
        }
        return Subscription { [weak self] in self?.state.withLock { _ = $0.handlers.removeValue(forKey: id) }
        }
    }

    func send(_ signals: [CommitSignal]) {
        guard !signals.isEmpty else { return }
        for handle in state.withLock({ Array($0.handlers.values) }) { handle(signals) }
    }
}

/// The signals of a connection's running transaction. It lives on the connection's thread.
final class PendingSignals {
    /// The SQLSTATE of the messages that carry signals.
    private static let sqlState = "DY001"
    private var signals: [CommitSignal] = []
    /// Whether the server stopped waiting for its standbys: the transaction is committed on this server alone, and a
    /// failover would undo it.
    private(set) var isCommitAlone = false

    func add(_ signal: CommitSignal) { signals.append(signal) }

    /// Forgets the signals of a transaction that was not committed.
    func removeAll() {
        signals = []
        isCommitAlone = false
    }

    func take() -> [CommitSignal] {
        defer { signals = [] }
        return signals
    }

    /// Takes signals and the warning of a commit without standbys out of the server's notices. All other notices are
    /// dropped: libpq would print them, and they may quote data.
    func receive(from handle: OpaquePointer) {
        PQsetNoticeReceiver(
            handle,
            { argument, message in
                guard let argument else { return }
                Unmanaged<PendingSignals>.fromOpaque(argument).takeUnretainedValue().note(message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Parameter message: owned by libpq, which frees it after the call.
    private func note(_ message: OpaquePointer?) {
        func field(_ letter: Unicode.Scalar) -> String? {
            PQresultErrorField(message, Int32(letter.value)).map { String(cString: $0) }
        }
        // A cancelled statement that waits for a standby is answered like a successful one; this warning has no code.
        if field("R") == "SyncRepWaitForLSN" { isCommitAlone = true }
        guard field("C") == Self.sqlState, let text = field("M") else { return }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let channel = parts.first else { return }
        add(CommitSignal(channel: String(channel), payload: parts.count > 1 ? String(parts[1]) : ""))
    }
}
