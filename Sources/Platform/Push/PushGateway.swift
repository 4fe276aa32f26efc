import Foundation

/// Something to show on a device: texts that the app itself has, by their keys, so that no provider reads anything
/// about anybody.
package struct PushMessage: Sendable {
    package enum Urgency: Sendable {
        /// At once.
        case immediate
        /// When it suits the device's battery.
        case relaxed
    }

    /// The same however often it is sent.
    package let id: UUID
    /// A device shows only the last message of those with the same key. At most 64 bytes.
    package let collapseID: String
    /// Messages with the same thread are shown together.
    package let threadID: String
    package let titleKey: String
    package let bodyKey: String
    /// For the app: where to go.
    package let data: [String: String]
    /// No device shows it later.
    package let expiresAt: Date
    package let urgency: Urgency

    package init(
        id: UUID, collapseID: String, threadID: String, titleKey: String, bodyKey: String,
        data: [String: String], expiresAt: Date, urgency: Urgency = .immediate
    ) {
        self.id = id
        self.collapseID = collapseID
        self.threadID = threadID
        self.titleKey = titleKey
        self.bodyKey = bodyKey
        self.data = data
        self.expiresAt = expiresAt
        self.urgency = urgency
    }
}

/// The outcome of a message to one device. Reasons are logged, so they hold no token and no text of the provider's own.
package enum PushOutcome: Sendable, Equatable {
    /// The provider has it.
    case accepted
    /// The token leads nowhere any more; `since`, where the provider says when it began to.
    case unregistered(since: Date?, reason: String)
    /// The provider does not know the token together with our credentials. Either the device is gone, or the
    /// credentials are those of another project, topic or environment.
    case doubtful(reason: String)
    /// This device has had too much for now.
    case throttled(after: Duration?, reason: String)
    /// The provider could not be asked, or is busy: worth another try.
    case unavailable(after: Duration?, reason: String)
    /// It was not asked: it failed too often, or has too much to do already.
    case postponed(after: Duration)
    /// The provider will never take this message.
    case refused(reason: String)
    /// Credentials, topic or address are wrong: nothing gets through until somebody mends them.
    case misconfigured(reason: String)
}

/// A gateway to the devices of one platform. `send` takes a bounded time and never throws.
package protocol PushGateway: Sendable {
    /// In metrics and logs.
    var name: String { get }
    /// How many messages may be under way at the moment; 0 while the provider is left alone.
    var openPlaces: Int { get }
    func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome
}

extension PushGateway {
    package var openPlaces: Int { .max }
}
