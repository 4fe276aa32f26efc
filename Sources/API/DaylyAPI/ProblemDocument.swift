/// An error answer, `application/problem+json` (RFC 9457), as clients read it. Members that only some problems have
/// (`attempts_remaining`, `next_send_at`, …) are read from the same JSON by a type of their own.
public struct ProblemDocument: Codable, Sendable, Equatable {
    /// A part of the request that is wrong.
    public struct Fault: Codable, Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the request's body; empty for the whole of it.
        public var pointer: String
        public var detail: String

        public init(pointer: String, detail: String) {
            self.pointer = pointer
            self.detail = detail
        }
    }

    /// `/problems/<code>`.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String
    /// A `ProblemCode`, or one that a newer service has.
    public var code: String
    public var requestID: String?
    public var errors: [Fault]?

    /// Nil for a code that this version does not know.
    public var knownCode: ProblemCode? { ProblemCode(rawValue: code) }

    enum CodingKeys: String, CodingKey {
        case type
        case title
        case status
        case detail
        case code
        case requestID = "request_id"
        case errors
    }
}
