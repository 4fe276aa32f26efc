/// An error answer, `application/problem+json` (RFC 9457), as clients read it. Members that only some problems have
/// (`attempts_remaining`, `next_send_at`, …) are decoded from the same JSON with another type.
public struct ProblemDocument: Codable, Sendable, Equatable {
    /// An invalid part of the request.
    public struct Fault: Codable, Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the request's body; empty for the whole body.
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
    /// A `ProblemCode`, or a code of a newer version of the service.
    public var code: String
    public var requestID: String?
    public var errors: [Fault]?

    /// Nil if this version does not know the code.
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
