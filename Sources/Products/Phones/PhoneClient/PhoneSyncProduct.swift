import DaylyClient
import DaylyAPI
import Foundation

/// The parts of a product's messages that differ from those of other products whose phones send events.
package protocol PhoneSyncProduct: Sendable {
    associatedtype Event: PhoneEvent
    associatedtype Request: Encodable & Sendable
    associatedtype Answer: Decodable & Sendable
    /// An event of another phone of the user.
    associatedtype Other: Sendable
    /// The part of an answer that the app gets.
    associatedtype Synced: Sendable

    /// The call that sends events.
    static var operation: DaylyClient.Operation { get }
    /// The refusal of a user without a part in the product.
    static var notJoined: ProblemCode { get }

    static func request(_ sync: PhoneSync<Event.Message>) -> Request
    static func received(_ answer: Answer) -> PhoneSyncReceived<Other, Synced>
}

/// Something that happens on a phone and that a product counts.
package protocol PhoneEvent: Sendable {
    /// The event as it goes over the wire.
    associatedtype Message: PhoneEventMessage

    /// Whether the event has no hurry, so that it may wait for the next one.
    var canWait: Bool { get }

    /// The service refuses a whole sync for one event that is malformed, so such an event must never get a number.
    func check() throws(DaylyError)

    func message(seq: Int, at: Date, uptime: PhoneUptime?) -> Message
}

package protocol PhoneEventMessage: Codable, Sendable {
    var seq: Int { get }
}

/// A sync before it is sent.
package struct PhoneSync<Message: PhoneEventMessage>: Sendable {
    package let deviceID: ResourceID
    package let clientTime: Date
    package let uptime: PhoneUptime?
    package var events: [Message] = []
    /// How far this phone knows the user's other phones.
    package let cursor: String?
}

/// The parts of an answer on which the queue acts.
package struct PhoneSyncReceived<Other: Sendable, Synced: Sendable>: Sendable {
    /// The phone may forget its events up to this number.
    package let acknowledged: Int
    package let serverTime: Date
    /// The events of the user's other phones after the cursor.
    package var others: [Other] = []
    /// Nil where a product does not tell phones of each other.
    package var cursor: String?
    package var hasMore = false
    package let synced: Synced

    package init(
        acknowledged: Int, serverTime: Date, others: [Other] = [], cursor: String? = nil,
        hasMore: Bool = false,
        synced: Synced
    ) {
        self.acknowledged = acknowledged
        self.serverTime = serverTime
        self.others = others
        self.cursor = cursor
        self.hasMore = hasMore
        self.synced = synced
    }
}
