/// The kind of pooler between a client and the server, if any.
package enum Pooling: Sendable {
    /// Nothing: each connection is a session of the server's.
    case none
    /// A pooler that gives a connection one session for as long as it lives.
    case session
    /// A pooler whose next transaction may run in another session, in which LISTEN and locks of a session are lost.
    case transaction
}

extension PostgresClient {
    /// Finds out what stands before the server, by which of its processes answer two connections in turn.
    package func pooling() async throws -> Pooling {
        let configuration = configuration
        return try await withConnection { first in
            guard first.isPooled else { return .none }
            let second = try PostgresConnection(configuration: configuration)
            defer { second.close() }
            return try Pooling(first, second)
        }
    }
}

extension Pooling {
    /// A pooler hands out the session that was given back last, or each in its turn; in a busy one others take
    /// sessions in between. So within a few rounds a connection meets another session, or two connections the same
    /// one, unless the sessions are theirs.
    private static let rounds = 5

    fileprivate init(_ first: PostgresConnection, _ second: PostgresConnection) throws(PostgresError) {
        var own: Set<Int32> = []
        var others: Set<Int32> = []
        for _ in 0..<Self.rounds {
            own.insert(try first.serverProcess())
            others.insert(try second.serverProcess())
            own.insert(try first.serverProcess())
        }
        self = own.count > 1 || others.count > 1 || !own.isDisjoint(with: others) ? .transaction : .session
    }
}
