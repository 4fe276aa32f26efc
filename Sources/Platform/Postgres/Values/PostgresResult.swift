import CPostgres

/// An answer from libpq.
///
/// Unchecked: a `PGresult` never changes after its receipt, and libpq documents that threads may share it. Only the
/// deinitializer changes it, by freeing it.
final class PostgresResult: @unchecked Sendable {
    private let handle: OpaquePointer
    let columns: [String]
    let types: [PostgresType]

    /// Takes ownership of `handle`.
    init(_ handle: OpaquePointer) {
        self.handle = handle
        let count = PQnfields(handle)
        columns = (0..<count).map { index in PQfname(handle, index).map { String(cString: $0) } ?? "" }
        types = (0..<count).map { PostgresType(rawValue: PQftype(handle, $0)) }
    }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }

    /// `INSERT 0 1`, `COMMIT`, …
    var commandTag: String { String(cString: PQcmdStatus(handle)) }

    var affectedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The result of `SELECT pg_backend_pid() AS pid`.
    var serverProcess: Int32 { rows.first.flatMap { Int32($0.result.text(row: 0, column: 0) ?? "") } ?? 0 }

    var rows: [PostgresRow] {
        (0..<Int(PQntuples(handle))).map { PostgresRow(result: self, index: Int32($0)) }
    }

    func text(row: Int32, column: Int) -> String? {
        let column = Int32(column)
        guard PQgetisnull(handle, row, column) == 0, let value = PQgetvalue(handle, row, column) else {
            return nil
        }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(handle, row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts of an error report, named by the letters of the protocol ("Error and Notice Message Fields").
    func errorField(_ letter: Unicode.Scalar) -> String? {
        PQresultErrorField(handle, Int32(letter.value)).map { String(cString: $0) }
    }
}

/// One row of an answer.
package struct PostgresRow: Sendable {
    fileprivate let result: PostgresResult
    fileprivate let index: Int32

    /// The names of the columns, in the statement's order.
    package var columns: [String] { result.columns }

    /// The value in a column. Ask for an optional when it may be NULL.
    ///
    /// - Throws: `PostgresError.decoding`, with the column's name and the types, when there is no such column or more
    ///   than one, when it is NULL, or when the value is not a `Value`.
    package func get<Value: PostgresDecodable>(
        _ column: String, as _: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        var found: Int?
        for (position, name) in result.columns.enumerated() where name == column {
            if found != nil { throw .decoding("more than one column \"\(column)\"") }
            found = position
        }
        guard let position = found else {
            throw .decoding("no column \"\(column)\" among \(result.columns.joined(separator: ", "))")
        }
        let text = result.text(row: index, column: position)
        let field = PostgresField(column: column, type: result.types[position], text: text)
        return try Value.decodePostgres(field)
    }
}
