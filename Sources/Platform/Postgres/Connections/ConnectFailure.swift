/// Why the database cannot be used: libpq's error when it connects, as a case to decide on. libpq's own text is not kept,
/// because it may quote parts of a mistyped URL.
///
/// Each of several hosts may fail in its own way. The reason is then the one that comes first in `signs`.
package enum ConnectFailure: Sendable, Equatable, CaseIterable {
    case wrongPassword
    case noPassword
    case noHBAEntry
    case authenticationFailed
    case startingUp
    case shuttingDown
    case recovering
    case tooManyConnections
    case unknownUser
    case noConnectRight
    case unknownDatabase
    case unknownHost
    case nothingListens
    case noSocket
    case timedOut
    case noRoute
    case certificateNotAccepted
    case noTLSAgreement
    case takesNoWrites
    case closedByServer
    case invalidURL
    case other

    /// libpq has no error codes for these, so this is the one place that reads its messages. The first sign that
    /// occurs decides.
    private static let signs: [(text: String, failure: ConnectFailure)] = [
        ("password authentication failed", .wrongPassword),
        ("no password supplied", .noPassword),
        ("no pg_hba.conf entry", .noHBAEntry),
        ("authentication failed", .authenticationFailed),
        ("starting up", .startingUp),
        ("not yet accepting connections", .startingUp),
        ("not accepting connections", .startingUp),
        ("shutting down", .shuttingDown),
        ("recovery mode", .recovering),
        ("too many clients", .tooManyConnections),
        ("remaining connection slots", .tooManyConnections),
        ("too many connections", .tooManyConnections),
        ("role ", .unknownUser),
        ("permission denied for database", .noConnectRight),
        ("not currently accepting connections", .startingUp),
        ("database ", .unknownDatabase),
        // Before the faults of a host: while a primary is missing, the hosts that answer are standbys.
        ("session is read-only", .takesNoWrites),
        ("could not translate host name", .unknownHost),
        ("Connection refused", .nothingListens),
        ("No such file or directory", .noSocket),
        ("timeout expired", .timedOut),
        ("Network is unreachable", .noRoute),
        ("No route to host", .noRoute),
        ("certificate", .certificateNotAccepted),
        ("SSL", .noTLSAgreement),
        ("server closed the connection", .closedByServer),
        ("Connection reset", .closedByServer),
        ("invalid", .invalidURL),
        ("missing", .invalidURL),
    ]

    /// - Parameter message: the message of `PQerrorMessage` after a failed attempt to connect.
    init(libpq message: String) {
        // Only the tail gives the cause; the head names host, port and socket. Each host has a line of its own.
        let causes = message.split(separator: "\nconnection to server").map {
            $0.split(separator: "failed: ", maxSplits: 1).last ?? ""
        }
        let found = causes.compactMap { cause in Self.signs.firstIndex { cause.contains($0.text) } }
        self = found.min().map { Self.signs[$0].failure } ?? .other
    }
}

extension ConnectFailure: CustomStringConvertible {
    /// A clause without a full stop, for the log and the operator.
    package var description: String {
        switch self {
        case .wrongPassword: "the database refused the user or password"
        case .noPassword: "the database wants a password and the URL has none"
        case .noHBAEntry: "the database's pg_hba.conf does not let this client in"
        case .authenticationFailed: "the database refused the user"
        case .startingUp: "the database is starting up"
        case .shuttingDown: "the database is shutting down"
        case .recovering: "the database is recovering"
        case .tooManyConnections: "the database has no connection left"
        case .unknownUser: "the database user does not exist or may not log in"
        case .noConnectRight: "the database user may not connect to the database"
        case .unknownDatabase: "the database does not exist"
        case .unknownHost: "the database's host name is unknown"
        case .nothingListens: "nothing listens at the database's address"
        case .noSocket: "there is no socket at the database's address"
        case .timedOut: "the database did not answer in time"
        case .noRoute: "the database's network is unreachable"
        case .certificateNotAccepted:
            "the database's TLS certificate is expired, of another name, or of an authority that is not known here"
        case .noTLSAgreement: "TLS with the database could not be agreed on"
        case .takesNoWrites: "the database takes no writes: it is a standby, or set to read-only"
        case .closedByServer: "the database closed the connection"
        case .invalidURL: "the database URL is not valid"
        case .other: "the connection to the database failed"
        }
    }
}
