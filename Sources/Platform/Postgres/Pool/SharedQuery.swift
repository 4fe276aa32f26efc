import Foundation

/// A query of frequent calls, which one statement answers for all callers that wait at the same time. PostgreSQL begins and ends
/// the statement once, which costs more than the rows of one caller.
package final class SharedQuery: Sendable {
    fileprivate let statement: @Sendable (SharedKeys) -> SQL

    /// - Parameter statement: makes the statement for the keys of several callers. It only reads, and its column `place` tells
    ///   whose row it is.
    package init(_ statement: @escaping @Sendable (SharedKeys) -> SQL) {
        self.statement = statement
    }
}

/// The keys of several callers of a shared query.
package struct SharedKeys: Sendable {
    fileprivate var keys: [[UUID]] = []

    /// A table `asked` of the keys for FROM, with a column for each part of a key, and the column `place`.
    ///
    /// The arrays stand in subqueries, because PostgreSQL would otherwise see how short they are, and plan each statement anew.
    package func table(_ columns: StaticString...) -> SQL {
        let arrays = columns.indices.map { part -> SQL in "(SELECT \(keys.map { $0[part] }))" }
        let names = SQL(unchecked: columns.map(\.description).joined(separator: ", "))
        return """
            unnest(\(fragment: .joined(arrays, by: ", "))) WITH ORDINALITY AS asked (\(fragment: names), place)
            """
    }
}

/// Something that a caller reads in a message that it shares with others.
package enum Reading: Sendable {
    case statement(SQL)
    /// - Parameter key: the parts of the key, in the order of the columns of the query's table.
    case shared(SharedQuery, key: [UUID])
}

/// The statements that answer the readings of several callers: each shared query once, then the callers' own statements.
private struct SharedMessage {
    private struct Entry {
        let query: SharedQuery
        var keys = SharedKeys()

        /// The rows of each key.
        func rows(of result: PostgresResult) throws(PostgresError) -> [[PostgresRow]] {
            var rows = [[PostgresRow]](repeating: [], count: keys.keys.count)
            for row in result.rows {
                let key = try row.get("place", as: Int.self) - 1
                guard rows.indices.contains(key) else { throw .decoding("no key has this place") }
                rows[key].append(row)
            }
            return rows
        }
    }

    /// Where the rows of a reading are.
    private enum Place {
        case shared(entry: Int, key: Int)
        case own(Int)
    }

    private var entries: [Entry] = []
    private var own: [SQL] = []
    /// The places of each caller's readings.
    private var places: [[Place]] = []

    init(_ callers: [[Reading]]) {
        for readings in callers { places.append(readings.map { add($0) }) }
    }

    private mutating func add(_ reading: Reading) -> Place {
        switch reading {
        case .statement(let statement):
            own.append(statement)
            return .own(own.count - 1)
        case .shared(let query, let key):
            let entry = entries.firstIndex { $0.query === query } ?? entries.count
            if entry == entries.count { entries.append(Entry(query: query)) }
            entries[entry].keys.keys.append(key)
            return .shared(entry: entry, key: entries[entry].keys.keys.count - 1)
        }
    }

    var statements: [SQL] { entries.map { $0.query.statement($0.keys) } + own }

    /// The rows of each caller's readings.
    ///
    /// - Parameter results: those of the statements.
    func answers(_ results: [PostgresResult]) throws(PostgresError) -> [[[PostgresRow]]] {
        var shared: [[[PostgresRow]]] = []
        for (entry, result) in zip(entries, results) { shared.append(try entry.rows(of: result)) }
        return places.map { places in
            places.map { place in
                switch place {
                case .shared(let entry, let key): shared[entry][key]
                case .own(let index): results[entries.count + index].rows
                }
            }
        }
    }
}

extension PostgresConnection {
    /// Runs the readings of several callers, all in one message.
    func run(_ callers: [[Reading]]) -> [Result<[[PostgresRow]], PostgresError>] {
        do {
            return try answers(to: callers).map { .success($0) }
        } catch .unavailable(let reason) {
            return callers.map { _ in .failure(.unavailable(reason)) }
        } catch {
            guard callers.count > 1 else { return [.failure(error)] }
            // One caller's statement is at fault, and the server has not answered those after it.
            return callers.map { readings in
                Result { () throws(PostgresError) in try answers(to: [readings])[0] }
            }
        }
    }

    private func answers(to callers: [[Reading]]) throws(PostgresError) -> [[[PostgresRow]]] {
        let message = SharedMessage(callers)
        return try message.answers(try run(together: message.statements))
    }
}
