import Foundation

/// A message to show on a device. It names the app's own texts by their keys, so that no provider can read anything about
/// people. Messages for browsers are encrypted up to the browser; only they use `name`.
package struct PushMessage: Sendable {
    package enum Urgency: Sendable {
        /// Delivered at once.
        case immediate
        /// Delivered when it suits the device's battery.
        case relaxed
    }

    /// The same for every attempt to send the message.
    package let id: UUID
    /// A device shows only the last of several messages with the same collapse ID. At most 64 bytes.
    package let collapseID: String
    /// The device shows messages with the same thread ID together.
    package let threadID: String
    package let titleKey: String
    package let bodyKey: String
    /// Data for the app: the screen to open.
    package let data: [String: String]
    /// The time after which no device shows the message.
    package let expiresAt: Date
    package let urgency: Urgency
    /// The name of the thing that the message is about.
    package let name: String?
    /// Wakes an app, which is shown nothing. Browsers insist on a notification, which their worker shows.
    package let isSilent: Bool
    /// The owner of the device. All answers about one account's devices are one opinion, however many they are.
    package let reader: UUID?

    package init(
        id: UUID, collapseID: String, threadID: String, titleKey: String, bodyKey: String,
        data: [String: String], expiresAt: Date, urgency: Urgency = .immediate,
        name: String? = nil, isSilent: Bool = false, reader: UUID? = nil
    ) {
        self.id = id
        self.collapseID = collapseID
        self.threadID = threadID
        self.titleKey = titleKey
        self.bodyKey = bodyKey
        self.data = data
        self.expiresAt = expiresAt
        self.urgency = urgency
        self.name = name
        self.isSilent = isSilent
        self.reader = reader
    }
}

/// The outcome of a message to one device. Reasons are logged, so they hold no token and no text of the provider's own.
package enum PushOutcome: Sendable, Equatable {
    /// The provider has accepted the message.
    case accepted
    /// The token is no longer valid; `since` is the time at which that began, if the provider reports it.
    case unregistered(since: Date?, reason: String)
    /// The provider does not know the token together with our credentials. Either the device is gone, or the
    /// credentials are those of another project, topic or environment.
    case doubtful(reason: String)
    /// This device gets nothing for now: it has had too many messages, or its own host does not answer.
    case throttled(after: Duration?, reason: String)
    /// The provider could not be reached or is busy. A later attempt may succeed.
    case unavailable(after: Duration?, reason: String)
    /// The message was not sent, because the provider failed too often or too many messages are under way.
    case postponed(after: Duration)
    /// The provider will never take this message.
    case refused(reason: String)
    /// The credentials, topic or address are wrong, or seem so after the answers to many people's devices. The message is kept
    /// until an operator has corrected them.
    case misconfigured(reason: String)
}

/// A gateway to the devices of one platform. `send` takes a bounded time and never throws.
package protocol PushGateway: Sendable {
    /// The provider's name in metrics and logs.
    var name: String { get }
    /// The number of messages that may be under way now; 0 during a pause.
    var openPlaces: Int { get }
    /// The same for one of its platform's lanes.
    func openPlaces(in lane: String) -> Int
    func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome
}

extension PushGateway {
    package var openPlaces: Int { .max }
    package func openPlaces(in lane: String) -> Int { openPlaces }
}
