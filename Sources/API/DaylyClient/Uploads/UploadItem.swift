import DaylyAPI
import Foundation

/// One photo on its way to one group. A picture for several groups is one item for each of them.
public struct UploadItem: Codable, Sendable, Equatable, Identifiable {
    public enum State: String, Codable, Sendable {
        /// The queue sends it from `notBefore` on.
        case waiting
        /// An attempt is running.
        case sending
        /// The user decides: `retry`, `keepUntilNextDay` or `discard`.
        case stopped
        /// It waits for the next sign-in.
        case signedOut = "signed_out"
    }

    /// Also the `Idempotency-Key`, so that no number of attempts makes a second photo.
    public let id: UUID
    public let groupID: ResourceID
    /// The user who queued it. No other user's session sends it.
    let userID: ResourceID
    /// The address of the service; nil in a record of the first release.
    let service: String?
    /// The items of one picture have the same, so that a screen can show them together.
    public let captureID: UUID
    /// The order of the queue.
    let addedAt: Date
    /// When the picture was queued, or when the user last asked to send it.
    public internal(set) var queuedAt: Date
    public internal(set) var state: State
    /// The failed attempts since `queuedAt`, or since the network came back.
    public internal(set) var attempts: Int
    public internal(set) var notBefore: Date
    /// The reason of the last refusal or stop. Nil after an attempt without an answer.
    public internal(set) var problem: UploadProblem?
    /// A sentence about the problem, for the user.
    public internal(set) var problemDetail: String?
    /// With `already_sent_today`: when the next photo may be sent.
    public internal(set) var nextSendAt: Date?
    /// From 0 to 1 during an attempt.
    public internal(set) var progress: Double = 0

    /// Lets an attempt without a session succeed, such as the system's own after the app has ended.
    var ticket: UploadTicket?

    init(
        id: UUID, groupID: ResourceID, userID: ResourceID, service: String? = nil, captureID: UUID,
        queuedAt: Date
    ) {
        self.id = id
        self.groupID = groupID
        self.userID = userID
        self.service = service
        self.captureID = captureID
        addedAt = queuedAt
        self.queuedAt = queuedAt
        state = .waiting
        attempts = 0
        notBefore = queuedAt
    }

    /// Progress belongs to an attempt, and an attempt does not outlive its process.
    enum CodingKeys: String, CodingKey {
        case id
        case groupID = "group_id"
        case userID = "user_id"
        case service
        case captureID = "capture_id"
        case addedAt = "added_at"
        case queuedAt = "queued_at"
        case state
        case attempts
        case notBefore = "not_before"
        case problem
        case problemDetail = "problem_detail"
        case nextSendAt = "next_send_at"
        case ticket
    }

    /// The header's value.
    var idempotencyKey: String { id.uuidString.lowercased() }
}

extension UploadTicket {
    /// A ticket that ends while its upload is on its way is refused, so that it is not used in its last minute.
    func isUsable(at now: Date) -> Bool { expiresAt.timeIntervalSince(now) > 60 }
}
