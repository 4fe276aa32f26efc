/// A parser of Server-Sent Events (HTML Living Standard, 9.2.6) that takes bytes in pieces of any length.
struct EventParser: Sendable {
    /// An event as it stood in the stream.
    struct Message: Sendable, Equatable {
        /// The field `event`, or `message`.
        var name: String
        var data: String
        /// Whether the event had an `id` of its own.
        var hasID = false
    }

    /// The cursor of the last complete event. An id whose event was cut off does not count, because the client would
    /// otherwise resume after an event that it never had.
    private(set) var lastEventID: String?
    /// The server's wait before a new connection.
    private(set) var retry: Duration?

    private var line: [UInt8] = []
    /// Whether a LF at this place belongs to the CR before it.
    private var followsCarriageReturn = false
    private var isFirstLine = true

    private var name = ""
    private var data: [String] = []
    private var pendingID: String?

    /// Takes the next piece of the stream and returns the events that it completes.
    mutating func push(_ bytes: some Sequence<UInt8>) -> [Message] {
        var messages: [Message] = []
        for byte in bytes {
            let wasCarriageReturn = followsCarriageReturn
            followsCarriageReturn = byte == UInt8(ascii: "\r")
            if wasCarriageReturn && byte == UInt8(ascii: "\n") { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            if let message = endLine() { messages.append(message) }
        }
        return messages
    }

    private mutating func endLine() -> Message? {
        defer {
            isFirstLine = false
            line.removeAll(keepingCapacity: true)
        }
        let content = isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
        if content.isEmpty { return dispatch() }
        take(content)
        return nil
    }

    /// Splits bytes, because a Character may hold a colon and what follows it. A comment begins with a colon, so the name
    /// of its field is empty.
    private mutating func take(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var bytes = line[colon...].dropFirst()
        if bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        let value = String(decoding: bytes, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = value
        case "data": data.append(value)
        case "id" where !bytes.contains(0): pendingID = value
        case "retry" where bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }):
            retry = Int(value).map { .milliseconds($0) } ?? retry
        default: break
        }
    }

    private mutating func dispatch() -> Message? {
        lastEventID = pendingID ?? lastEventID
        defer {
            name = ""
            data = []
            pendingID = nil
        }
        guard !data.isEmpty else { return nil }
        return Message(
            name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), hasID: pendingID != nil
        )
    }
}
