import DaylyTesting
import Glibc

/// A proxy before PostgreSQL that knows where a statement begins and ends: what the client sends up to a Sync or a
/// Query is one request, what the server sends up to ReadyForQuery is its answer (PostgreSQL's documentation,
/// "Message Flow"). Without TLS.
final class PostgresProxy: Sendable {
    let port: UInt16
    private let listener: Socket

    init(to target: UInt16, board: Switchboard) throws {
        (listener, port) = try Socket.listen { client in
            guard !board.refuses(.database), let server = Socket.connect(to: target) else {
                client.breakOff()
                return
            }
            var connection = PostgresExchange(client: client, server: server, board: board)
            connection.run()
        }
    }

    deinit { listener.shutDown() }
}

/// One connection; its thread waits for both sides.
private struct PostgresExchange {
    let client: Socket
    let server: Socket
    let board: Switchboard
    var sent = Frontend()
    var answer = Backend()
    /// A request is with the server, and its answer may be for a trap.
    var isWaiting = false
    var trap: Trap?
    var isReplyLost = false

    mutating func run() {
        while true {
            let ready = Socket.waitForAny(client, server)
            if ready.second {
                guard let bytes = server.read() else { return }
                guard pass(reply: bytes) else { return client.breakOff() }
            } else if ready.first {
                guard let bytes = client.read() else { return }
                for round in sent.add(bytes) {
                    guard pass(round) else { return client.breakOff() }
                }
            }
        }
    }

    /// False when the connection is to break.
    private mutating func pass(_ round: Frontend.Round) -> Bool {
        guard let what = round.what else { return server.write(round.bytes) }
        let (fault, trap) = board.request(Passing(link: .database, what: what))
        switch fault {
        case .none: break
        case .delay(let time): usleep(useconds_t(time / .microseconds(1)))
        case .hang:
            client.waitForEnd()
            return false
        case .replyLost: isReplyLost = true
        case .late(let time):
            arriveLate(round.bytes, after: time)
            return false
        case .reset, .status, .keptNothing: return false
        }
        (isWaiting, self.trap) = (true, trap)
        return server.write(round.bytes)
    }

    private func arriveLate(_ bytes: [UInt8], after time: Duration) {
        board.beginLate()
        usleep(useconds_t(time / .microseconds(1)))
        server.write(bytes)
        _ = server.read()
        board.endLate()
    }

    private mutating func pass(reply bytes: [UInt8]) -> Bool {
        guard isWaiting else {
            _ = answer.add(bytes)
            return client.write(answer.take())
        }
        guard answer.add(bytes) else { return true }
        isWaiting = false
        guard !isReplyLost, board.reply(trap) else { return false }
        return client.write(answer.take())
    }
}

/// The client's bytes, cut into rounds.
private struct Frontend {
    struct Round {
        let bytes: [UInt8]
        /// Nil for messages without a statement: signing in, cancelling, ending.
        let what: String?
    }

    private var isStarted = false
    private var pending: [UInt8] = []
    private var round: [UInt8] = []
    private var label: String?
    private var statements: [String: String] = [:]

    mutating func add(_ bytes: [UInt8]) -> [Round] {
        pending += bytes
        var rounds: [Round] = []
        while let message = next() {
            round += message
            let type = isStarted ? message[0] : 0
            isStarted = true
            note(type, Array(message.dropFirst(5)))
            switch type {
            case UInt8(ascii: "Q"), UInt8(ascii: "S"):
                rounds.append(Round(bytes: round, what: label ?? "Sync"))
            case 0, UInt8(ascii: "p"), UInt8(ascii: "X"): rounds.append(Round(bytes: round, what: nil))
            default: continue
            }
            (round, label) = ([], nil)
        }
        return rounds
    }

    /// The first packet has no type.
    private mutating func next() -> [UInt8]? {
        let start = isStarted ? 1 : 0
        guard pending.count >= start + 4 else { return nil }
        let length = pending[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + start
        guard pending.count >= length else { return nil }
        defer { pending.removeFirst(length) }
        return Array(pending[..<length])
    }

    private mutating func note(_ type: UInt8, _ body: [UInt8]) {
        switch type {
        case UInt8(ascii: "Q"): label = Self.short(String(decoding: body.dropLast(), as: UTF8.self))
        case UInt8(ascii: "P"):
            let parts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return }
            let sql = Self.short(String(decoding: parts[1], as: UTF8.self))
            statements[String(decoding: parts[0], as: UTF8.self)] = sql
            label = "prepare: " + sql
        case UInt8(ascii: "B"):
            let parts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return }
            label = statements[String(decoding: parts[1], as: UTF8.self)] ?? "a statement"
        default: break
        }
    }

    private static func short(_ sql: String) -> String {
        String(sql.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(100))
    }
}

/// The server's bytes up to the last whole ReadyForQuery.
private struct Backend {
    private var bytes: [UInt8] = []
    private var parsed = 0

    /// True when a ReadyForQuery was the last of it.
    mutating func add(_ more: [UInt8]) -> Bool {
        bytes += more
        var isReady = false
        while bytes.count >= parsed + 5 {
            let length = bytes[parsed + 1..<parsed + 5].reduce(0) { $0 << 8 | Int($1) } + 1
            guard bytes.count >= parsed + length else { return false }
            isReady = bytes[parsed] == UInt8(ascii: "Z")
            parsed += length
        }
        return isReady && parsed == bytes.count
    }

    /// All whole messages.
    mutating func take() -> [UInt8] {
        defer {
            bytes.removeFirst(parsed)
            parsed = 0
        }
        return Array(bytes[..<parsed])
    }
}
