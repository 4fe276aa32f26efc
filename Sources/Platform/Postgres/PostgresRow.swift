/// One row of an answer.
package struct PostgresRow: Sendable {
    package func get<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        throw .decoding("unfinished")
    }
}
