import Foundation

/// An error answer, `application/problem+json` (RFC 9457), as clients read it.
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
    /// With `verification_failed`.
    public var attemptsRemaining: Int?
    /// With `already_sent_today`.
    public var nextSendAt: Date?
    /// With `time_zone_changed_recently` and `recovery_unavailable`.
    public var retryAt: Date?
    /// With `beast_mode`: when the session may end.
    public var endsAt: Date?
    /// With `rate_limited`: work that gets a code in spite of the refusal.
    public var challenge: WorkChallenge?
    /// In seconds. It is not a part of the JSON: clients copy it from the header `Retry-After`.
    public var retryAfter: Int?

    public init(
        type: String, title: String, status: Int, detail: String, code: String, requestID: String? = nil,
        errors: [Fault]? = nil, attemptsRemaining: Int? = nil, nextSendAt: Date? = nil, retryAt: Date? = nil,
        endsAt: Date? = nil, challenge: WorkChallenge? = nil, retryAfter: Int? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.requestID = requestID
        self.errors = errors
        self.attemptsRemaining = attemptsRemaining
        self.nextSendAt = nextSendAt
        self.retryAt = retryAt
        self.endsAt = endsAt
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// The code, to compare with those that this version knows.
    public var kind: ProblemCode { ProblemCode(rawValue: code) }

    enum CodingKeys: String, CodingKey {
        case type
        case title
        case status
        case detail
        case code
        case requestID = "request_id"
        case errors
        case attemptsRemaining = "attempts_remaining"
        case nextSendAt = "next_send_at"
        case retryAt = "retry_at"
        case endsAt = "ends_at"
        case challenge
    }
}
