import NIOHTTP1

/// The requests of one connection that are not answered completely, oldest first, and the memory that they hold.
///
/// A client may send requests without waiting for answers (RFC 9112, 9.3.2). A server may stop reading and close the
/// connection after the answers that it owes; the client then repeats the other requests.
struct OpenRequests {
    /// With so many unanswered requests the connection reads no further.
    static let maxCount = 16
    /// The most bytes that all requests behind the oldest one may hold together, with their small bodies.
    static let maxWaitingBytes = 16 << 10

    private struct Entry {
        let cost: Int
        let isHead: Bool
    }

    private var entries: [Entry] = []
    /// Whether the answer to the oldest request has begun. The client may have read all of it before the guard sees the
    /// answer's end.
    private(set) var hasAnswerBegun = false

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// Whether the oldest request is a HEAD.
    var isAnswerToHead: Bool { entries.first?.isHead ?? false }

    /// Whether the next request may be read.
    ///
    /// - Parameter bodyLength: nil for a chunked body.
    func hasRoom(for head: HTTPRequestHead, bodyLength: Int?) -> Bool {
        if isEmpty || count == 1 && hasAnswerBegun { return true }
        guard count < Self.maxCount, let bodyLength, bodyLength <= Self.maxWaitingBytes else { return false }
        let waiting = entries.dropFirst().reduce(0) { $0 + $1.cost }
        return waiting + Self.cost(of: head, bodyLength: bodyLength) <= Self.maxWaitingBytes
    }

    mutating func append(_ head: HTTPRequestHead, bodyLength: Int?) {
        entries.append(Entry(cost: Self.cost(of: head, bodyLength: bodyLength), isHead: head.method == .HEAD))
    }

    mutating func answerBegins() {
        hasAnswerBegun = true
    }

    mutating func answerEnded() {
        hasAnswerBegun = false
        if !entries.isEmpty { entries.removeFirst() }
    }

    /// An estimate of the memory that a parsed request holds: each field costs two strings and its place in a list.
    private static func cost(of head: HTTPRequestHead, bodyLength: Int?) -> Int {
        head.headers.reduce(256 + head.uri.utf8.count) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
            + min(bodyLength ?? 0, maxWaitingBytes)
    }
}
