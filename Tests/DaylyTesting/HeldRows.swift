import Glibc
import Postgres

extension PostgresClient {
    /// Runs `body` while another transaction, which is committed afterwards, holds the rows that a statement has locked or
    /// written.
    package func holding<Value: Sendable>(
        _ statement: SQL, _ body: () async throws -> Value
    ) async throws -> Value {
        let (isOver, (held, hold)) = (Counter(), AsyncStream<Void>.makeStream())
        async let holder: Void = transaction { tx in
            defer { hold.finish() }
            try tx.execute(statement)
            hold.yield()
            while isOver.value == 0 { usleep(2_000) }
        }
        for await _ in held { break }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        isOver.increment()
        try await holder
        return try result.get()
    }

    /// Returns when this number of connections wait for rows that others hold.
    package func untilWaiting(_ number: Int = 1) async throws {
        let waiting: SQL = """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        try await eventually("\(number) connections wait") { try await count(waiting) >= number }
    }
}
