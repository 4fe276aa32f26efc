import CPostgres

extension PostgresConnection {
    /// One statement in the form in which libpq sends it.
    private struct Call {
        let key: StatementCache.Key
        let arguments: BindArguments

        init(_ sql: SQL) throws(PostgresError) {
            key = StatementCache.Key(text: sql.text, types: sql.binds.map(\.type))
            arguments = try BindArguments(sql.binds)
        }
    }

    func run(_ sql: SQL) throws(PostgresError) -> PostgresResult {
        let call = try Call(sql)
        try gate.begin(mayBeCancelled: true)
        defer { gate.end() }
        if isPooled { return try executeUnnamed(call) }
        do {
            return try execute(call)
        } catch .server(let error) where error.isStalePlan {
            cache.remove(call.key)
            // PostgreSQL finds a stale plan before it executes anything, so the statement may be repeated, unless the
            // error has ended a transaction.
            guard PQtransactionStatus(handle) == PQTRANS_IDLE else { throw .server(error) }
            return try execute(call)
        }
    }

    /// Sends reading statements in one message, which costs one trip to the server. They are one transaction, so `now()`
    /// is the same in all; each sees what was committed when it began.
    ///
    /// - Throws: the error of the first statement that fails. The server skips those after it.
    func run(together statements: [SQL]) throws(PostgresError) -> [PostgresResult] {
        var calls: [Call] = []
        for statement in statements { calls.append(try Call(statement)) }
        try gate.begin(mayBeCancelled: true)
        defer { gate.end() }
        return isPooled ? try executeUnnamed(calls) : try execute(calls)
    }

    /// Runs one or several statements without parameters, and returns the last one's answer.
    @discardableResult
    func runScript(_ text: String, mayBeCancelled: Bool = true) throws(PostgresError) -> PostgresResult {
        if text.utf8.contains(0) { throw .nulInText }
        try gate.begin(mayBeCancelled: mayBeCancelled)
        defer { gate.end() }
        return try check(PQexec(handle, text))
    }

    // MARK: Without a pooler

    private func execute(_ call: Call) throws(PostgresError) -> PostgresResult {
        let name = try preparedName(call.key)
        let answer = call.arguments.withPointers { values, lengths, formats, count in
            PQexecPrepared(handle, name, count, values, lengths, formats, 0)
        }
        return try check(answer)
    }

    private func execute(_ calls: [Call]) throws(PostgresError) -> [PostgresResult] {
        var named: [(name: String, arguments: BindArguments)] = []
        for call in calls { named.append((try preparedName(call.key), call.arguments)) }
        return try pipeline {
            named.allSatisfy { name, arguments in
                arguments.withPointers { values, lengths, formats, count in
                    PQsendQueryPrepared(handle, name, count, values, lengths, formats, 0) == 1
                }
            }
        }
    }

    /// The name of the prepared statement, which is made when there is none yet.
    private func preparedName(_ key: StatementCache.Key) throws(PostgresError) -> String {
        if let known = cache.name(for: key) { return known }
        if key.text.utf8.contains(0) { throw .nulInText }
        if let overflow = cache.overflow {
            _ = try check(PQexec(handle, "DEALLOCATE \(overflow.name)"))
            cache.remove(overflow.key)
        }
        let name = nextStatementName()
        let types = key.types.map { Oid($0.rawValue) }
        _ = try check(PQprepare(handle, name, key.text, Int32(types.count), types))
        cache.insert(key, name: name)
        return name
    }

    // MARK: Behind a pooler

    /// A statement that is a transaction of its own makes the session's settings in the same message, which a pooler
    /// sends to one session of the server.
    private func executeUnnamed(_ call: Call) throws(PostgresError) -> PostgresResult {
        guard PQtransactionStatus(handle) == PQTRANS_IDLE else {
            if call.key.text.utf8.contains(0) { throw .nulInText }
            let types = call.key.types.map { Oid($0.rawValue) }
            let answer = call.arguments.withPointers { values, lengths, formats, count in
                PQexecParams(handle, call.key.text, count, types, values, lengths, formats, 0)
            }
            return try check(answer)
        }
        return try executeUnnamed([call])[0]
    }

    private func executeUnnamed(_ calls: [Call]) throws(PostgresError) -> [PostgresResult] {
        for call in calls where call.key.text.utf8.contains(0) { throw .nulInText }
        let settings = configuration.settingsStatement(isLocal: true)
        let results = try pipeline {
            PQsendQueryParams(handle, settings, 0, nil, nil, nil, nil, 0) == 1
                && calls.allSatisfy { call in
                    let types = call.key.types.map { Oid($0.rawValue) }
                    return call.arguments.withPointers { values, lengths, formats, count in
                        PQsendQueryParams(handle, call.key.text, count, types, values, lengths, formats, 0)
                            == 1
                    }
                }
        }
        return Array(results.dropFirst())
    }

    // MARK: Answers

    /// Sends statements in one message, and reads their answers. Everything before the Sync is one transaction.
    private func pipeline(_ send: () -> Bool) throws(PostgresError) -> [PostgresResult] {
        guard PQenterPipelineMode(handle) == 1 else { throw .unavailable(.connectionLost) }
        let isSent = send() && PQpipelineSync(handle) == 1
        let answers = isSent ? answersUntilSync() : nil
        // A connection that stays in this mode cannot run the next statement.
        if PQexitPipelineMode(handle) != 1 { close() }
        guard let answers else { throw .unavailable(.connectionLost) }
        var results: [PostgresResult] = []
        for answer in answers { results.append(try check(answer)) }
        return results
    }

    /// The answers, as far as the first error; nil when the connection was lost before the end.
    private func answersUntilSync() -> [OpaquePointer]? {
        var answers: [OpaquePointer] = []
        var isEnded = false
        while true {
            guard let answer = PQgetResult(handle) else {
                // A NULL ends each statement's answers, so a second one in a row means that there are no more.
                if isEnded {
                    for answer in answers { PQclear(answer) }
                    return nil
                }
                isEnded = true
                continue
            }
            isEnded = false
            switch PQresultStatus(answer) {
            case PGRES_PIPELINE_SYNC:
                PQclear(answer)
                return answers
            case PGRES_PIPELINE_ABORTED: PQclear(answer)
            default: answers.append(answer)
            }
        }
    }

    func check(_ answer: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let answer else { throw .unavailable(.connectionLost) }
        let result = PostgresResult(answer)
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return result
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
            noteServerState(result.errorField("C"))
            throw PostgresError(result, isLost: isLost)
        default:
            // After COPY the connection speaks another protocol.
            close()
            throw .decoding("COPY is not supported")
        }
    }
}

/// The functions of PostgreSQL that report the name of a time zone that they do not know; the last two since version 16.
private let zoneFunctions: Set<String> = [
    "timestamptz_zone", "timestamp_zone", "DecodeTimezoneName", "DecodeTimezoneNameToTz",
]

extension PostgresError {
    /// Sorts PostgreSQL's errors: an error that is not the statement's fault is `unavailable`.
    fileprivate init(_ result: PostgresResult, isLost: Bool) {
        let state = result.errorField("C") ?? ""
        let function = result.errorField("R")
        let message = result.errorField("M") ?? "no message"
        if isLost || state.isEmpty {
            self = .unavailable(.connectionLost)
        } else if state == "57014" {
            self = .unavailable(.statementTimeout)
        } else if state == "55P03", function == "ProcessInterrupts" {
            // NOWAIT has the same code but another function; its caller asked for that error.
            self = .unavailable(.lockTimeout)
        } else if state == "25006" {
            self = .unavailable(.connecting(.takesNoWrites))
        } else if state.hasPrefix("53") {
            self = .unavailable(.lacksResources(state))
        } else {
            self = .server(
                PostgresServerError(
                    sqlState: state, message: message, detail: result.errorField("D"),
                    constraint: result.errorField("n"), table: result.errorField("t"),
                    isStalePlan: state == "26000" || state == "0A000" && function == "RevalidateCachedQuery",
                    isUnknownZone: state == "22023" && zoneFunctions.contains(function ?? "")))
        }
    }
}
