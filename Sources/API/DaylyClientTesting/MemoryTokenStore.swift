import DaylyClient

/// A session in memory, and a store that fails when a test says so.
public final class MemoryTokenStore: TokenStore {
    /// The device refused, like a Keychain before the first unlock.
    public struct Refusal: Error {
        public init() {}
    }

    private struct State: Sendable {
        var session: StoredSession?
        var refusesReads = false
        var refusesWrites = false
        var writes: [StoredSession] = []
    }

    private let state: Locked<State>

    public init(_ session: StoredSession? = nil) {
        state = Locked(State(session: session))
    }

    /// As another process sees and changes it: without refusals.
    public var session: StoredSession? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    /// Everything that was written, in order.
    public var writes: [StoredSession] { state.withLock { $0.writes } }

    public func refuse(reads: Bool = false, writes: Bool = false) {
        state.withLock {
            $0.refusesReads = reads
            $0.refusesWrites = writes
        }
    }

    public func read() throws -> StoredSession? {
        try state.withLock { state throws(Refusal) in
            guard !state.refusesReads else { throw Refusal() }
            return state.session
        }
    }

    public func write(_ session: StoredSession) throws {
        try state.withLock { state throws(Refusal) in
            guard !state.refusesWrites else { throw Refusal() }
            state.session = session
            state.writes.append(session)
        }
    }

    public func remove() throws {
        try state.withLock { state throws(Refusal) in
            guard !state.refusesWrites else { throw Refusal() }
            state.session = nil
        }
    }
}
