import DaylyTesting

/// An HTTP/1.1 request or answer as it was on the wire, whole.
package struct HTTPMessage: Sendable {
    /// The first line.
    package let start: String
    /// By lower-case name; of several the last.
    package let headers: [String: String]
    let head: [UInt8]
    package let body: [UInt8]

    var bytes: [UInt8] { head + body }

    package var method: String { String(start.prefix { $0 != " " }) }

    /// With its query.
    package var target: String {
        let parts = start.split(separator: " ")
        return parts.count > 1 ? String(parts[1]) : ""
    }

    var status: Int {
        let parts = start.split(separator: " ")
        return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    var closes: Bool { headers["connection"]?.lowercased() == "close" || start.contains("HTTP/1.0") }
}

/// Reads messages from a connection.
struct HTTPReader {
    let socket: Socket
    private var buffer: [UInt8] = []

    init(_ socket: Socket) { self.socket = socket }

    /// - Parameter method: of the request that this is the answer to; nil for requests.
    /// - Returns: nil at the end, in the middle of a message too.
    mutating func next(answering method: String? = nil) -> HTTPMessage? {
        guard let head = take(until: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let start = lines.first.map(String.init) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
        }
        let status = method == nil ? 0 : Int(start.split(separator: " ").dropFirst().first ?? "") ?? 0
        var body: [UInt8]? = []
        if method != "HEAD", status != 204, status != 304 {
            if headers["transfer-encoding"]?.lowercased() == "chunked" {
                body = takeChunks()
            } else if let length = headers["content-length"].flatMap({ Int($0) }) {
                body = take(length)
            } else if method != nil {
                body = takeRest()
            }
        }
        return body.map { HTTPMessage(start: start, headers: headers, head: head, body: $0) }
    }

    private mutating func fill() -> Bool {
        guard let bytes = socket.read() else { return false }
        buffer += bytes
        return true
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard fill() else { return nil }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private mutating func take(until mark: [UInt8]) -> [UInt8]? {
        var searched = 0
        while true {
            if buffer.count >= mark.count {
                for start in searched...(buffer.count - mark.count)
                where buffer[start..<start + mark.count].elementsEqual(mark) {
                    return take(start + mark.count)
                }
                searched = buffer.count - mark.count + 1
            }
            guard fill() else { return nil }
        }
    }

    /// The chunks with their framing, as they were.
    private mutating func takeChunks() -> [UInt8]? {
        var all: [UInt8] = []
        while let line = take(until: Array("\r\n".utf8)) {
            all += line
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                let chunk = take(size + 2)
            else { return nil }
            all += chunk
            if size == 0 { return all }
        }
        return nil
    }

    private mutating func takeRest() -> [UInt8] {
        while fill() {}
        defer { buffer = [] }
        return buffer
    }
}
