/// Where the fault of an error of PostgreSQL lies. The one place that sorts SQLSTATEs ("PostgreSQL Error Codes", appendix A
/// of its documentation).
package enum ServerFault: String, Sendable, Decodable {
    /// In the statement or its values: a defect of this program.
    case statement
    /// In a text: it holds a character that the database cannot store.
    case text
    /// With others: a conflict or a lock. The same statement may succeed in a moment.
    case contention
    /// In the state of the database, its machine or its configuration: it refuses what is right. An operator has to mend it, or it
    /// passes.
    case database

    package init(sqlState: String) {
        switch sqlState {
        case "22021", "22P05": self = .text
        // A lost prepared statement is prepared anew.
        case "26000", "55006", "55P03": self = .contention
        // Read-only; a limit of time; no right; the limit of transaction ids, which stops all writes; recovery; a role,
        // database or schema that is gone.
        case "25006", "25P03", "25P04", "42501", "54000", "55000", "0P000", "3D000", "3F000": self = .database
        default:
            switch sqlState.prefix(2) {
            case "40": self = .contention
            // Connections, authorization, resources, operators, the machine, old snapshots, configuration files, damage.
            case "08", "28", "53", "57", "58", "72", "F0", "XX": self = .database
            default: self = .statement
            }
        }
    }
}

extension PostgresServerError {
    package var fault: ServerFault {
        isStalePlan || isUnknownZone ? .contention : ServerFault(sqlState: sqlState)
    }
}
