/// The kind of connection pooler (such as PgBouncer) between the client and the server, if any.
package enum Pooling: Sendable {
    /// No pooler: each connection is a session of the server.
    case none
    /// A pooler that gives each connection one session for its whole life.
    case session
    /// A pooler that may run each transaction in another session, where LISTEN and session locks are lost.
    case transaction
}

extension PostgresClient {
    /// Detects a pooler from the server processes that answer two connections.
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
    /// A transaction pooler hands out the session that was returned last, or the sessions in turn, and other clients
    /// take sessions in between. So within a few rounds one connection is served by two sessions, or both connections
    /// by the same one, unless each connection has a session of its own.
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
