import Crypto
import DaylyTesting
import Glibc

/// An HTTP server with a thread per connection: a proxy before an S3 server, or something that answers by itself.
final class HTTPProxy: Sendable {
    /// Answers a request: a whole answer, or nil to break the connection.
    typealias Backend = @Sendable (HTTPMessage) -> [UInt8]?
    /// Is told how a request fares.
    typealias Witness = @Sendable (HTTPMessage, String) -> Void

    let port: UInt16
    private let listener: Socket

    /// - Parameters:
    ///   - everywhere: a port to listen on at every address; nil for a free one of 127.0.0.1.
    ///   - backend: called once for each connection.
    init(
        _ link: Link, everywhere wanted: UInt16? = nil, board: Switchboard,
        witness: @escaping Witness = { _, _ in },
        backend: @escaping @Sendable () -> Backend
    ) throws {
        (listener, port) = try Socket.listen(everywhere: wanted) { client in
            guard !board.refuses(link) else { return client.breakOff() }
            HTTPExchange(
                link: link, client: client, board: board, witness: witness, backend: backend()
            ).run()
        }
    }

    deinit { listener.shutDown() }

    /// Passes requests on, over a connection of its own for each of the client's.
    static func forwarding(to target: UInt16) -> @Sendable () -> Backend {
        {
            let upstream = Upstream(target: target)
            return { upstream.answer($0) }
        }
    }

    static func answer(_ status: Int, _ headers: [String] = [], body: String = "") -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Answer", "Content-Length: \(body.utf8.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}

/// One connection: a request, its answer, the next request.
private struct HTTPExchange {
    let link: Link
    let client: Socket
    let board: Switchboard
    let witness: HTTPProxy.Witness
    let backend: HTTPProxy.Backend

    func run() {
        var requests = HTTPReader(client)
        while let request = requests.next() {
            guard let reply = reply(to: request) else { return client.breakOff() }
            guard client.write(reply), !request.closes else { return }
        }
    }

    private func reply(to request: HTTPMessage) -> [UInt8]? {
        let what = "\(request.method) \(request.target.prefix { $0 != "?" })"
        let (fault, trap) = board.request(Passing(link: link, what: what))
        if fault != .none { witness(request, "meets with: \(fault)") }
        switch fault {
        case .none: break
        case .delay(let time): usleep(useconds_t(time / .microseconds(1)))
        case .hang:
            client.waitForEnd()
            return nil
        case .reset: return nil
        case .replyLost:
            _ = answer(request)
            return nil
        case .status(let status, let xml):
            let error = "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>no</Message></Error>"
            return HTTPProxy.answer(
                status, ["Content-Type: application/xml"], body: xml && request.method != "HEAD" ? error : "")
        case .keptNothing:
            let tag = Insecure.MD5.hash(data: request.body).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
            return HTTPProxy.answer(200, ["ETag: \"\(tag)\""])
        case .late(let time):
            arriveLate(request, after: time)
            return nil
        }
        let reply = answer(request)
        return board.reply(trap) ? reply : nil
    }

    /// The client hears nothing, until it or the late request is done.
    private func arriveLate(_ request: HTTPMessage, after time: Duration) {
        board.beginLate()
        let exchange = self
        inThread {
            usleep(useconds_t(time / .microseconds(1)))
            _ = exchange.answer(request)
            exchange.board.endLate()
        }
        client.waitForEnd()
        witness(request, "is given up by its client")
    }

    private func answer(_ request: HTTPMessage) -> [UInt8]? {
        witness(request, "arrives")
        let answer = backend(request)
        let status = answer.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self) }
        witness(request, "is done: \(status ?? "no answer")")
        return answer
    }
}

/// The server behind a proxy. A connection for each request: on loopback that costs less than being right about when
/// the other side closes one.
private struct Upstream: Sendable {
    let target: UInt16

    func answer(_ request: HTTPMessage) -> [UInt8]? {
        guard let socket = Socket.connect(to: target), socket.write(request.bytes) else { return nil }
        var answers = HTTPReader(socket)
        return answers.next(answering: request.method)?.bytes
    }
}
