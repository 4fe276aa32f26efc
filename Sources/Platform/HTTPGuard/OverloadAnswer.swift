import Foundation
import HTTPKit
import NIOCore
import Synchronization

/// The bytes of a 503 `overloaded`, put together from parts that are made once. An overloaded service writes many of these
/// answers, and each costs time that the admitted requests need.
enum OverloadAnswer {
    /// - Parameters:
    ///   - requestID: the client's id for its request, if it is harmless; nil for a new id.
    ///   - closes: whether this is the last answer on its connection.
    ///   - hasBody: false for an answer to HEAD.
    static func bytes(requestID: String?, closes: Bool, hasBody: Bool = true) -> ByteBuffer {
        let number = count.add(1, ordering: .relaxed).newValue
        let id = requestID ?? RequestID.new()
        var bytes = ByteBufferAllocator().buffer(capacity: 640)
        // With one delay for all, the refused clients would come back at the same moment.
        bytes.writeString(heads[number % heads.count])
        if closes { bytes.writeStaticString("connection: close\r\n") }
        bytes.writeString(
            "content-length: \(before.utf8.count + id.utf8.count + after.utf8.count)\r\nx-request-id: ")
        bytes.writeString(id)
        bytes.writeStaticString("\r\n\r\n")
        guard hasBody else { return bytes }
        bytes.writeString(before)
        bytes.writeString(id)
        bytes.writeString(after)
        return bytes
    }

    /// One head for each `Retry-After` of 1 to 4 seconds.
    private static let heads = (1...4).map { seconds in
        """
        HTTP/1.1 503 Service Unavailable\r
        content-type: application/problem+json\r
        retry-after: \(seconds)\r
        cache-control: no-store\r
        x-content-type-options: nosniff\r

        """
    }

    /// The parts of the JSON document before and after the request's id.
    private static let (before, after) = {
        let mark = RequestID.new()
        let text = String(buffer: Problem.overloaded().body(requestID: mark))
        let parts = text.components(separatedBy: mark)
        return (parts[0], parts.count == 2 ? parts[1] : "")
    }()

    private static let count = Atomic(0)
}
