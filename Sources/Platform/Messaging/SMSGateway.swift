import Foundation

/// One text message to one number.
package struct SMSMessage: Sendable {
    /// The same for all retries and gateways, so that a gateway can recognise a retry.
    package let id: UUID
    /// The recipient's number in E.164 form.
    package let to: String
    package let body: String
    /// The name of the only gateway that may get the message from now on: it may have the message already, and it
    /// recognises the id. Nil when any gateway may get it.
    package var onlyGateway: String?

    package init(id: UUID, to: String, body: String) {
        self.id = id
        self.to = to
        self.body = body
    }
}

/// A gateway for text messages. `send` returns when the gateway has accepted the message, and otherwise throws
/// `SMSGatewayError`.
package protocol SMSGateway: Sendable {
    func send(_ message: SMSMessage) async throws
}

/// The reason why a gateway did not accept a message. It is logged, so it holds neither the number nor the text.
package enum SMSGatewayError: Error, Equatable, CustomStringConvertible {
    /// The gateway refused the message and would refuse it again: the message or the credentials are at fault.
    case rejected(String)
    /// The gateway could not be reached or is busy. It does not have the message, so it or another gateway may be tried.
    case unavailable(String)
    /// The request was sent and no answer came, so the message may be on its way.
    ///
    /// - Parameter repeatableBy: the name of the gateway if it recognises the message's id, so that a retry does not send a
    ///   second message; nil when the message must not be sent again.
    case unknown(String, repeatableBy: String?)
    /// No connection of our own was free. The gateway is not at fault.
    case noConnectionFree

    package var description: String {
        switch self {
        case .rejected(let reason): "rejected: \(reason)"
        case .unavailable(let reason): "unavailable: \(reason)"
        case .unknown(let reason, _): "outcome unknown: \(reason)"
        case .noConnectionFree: "no connection of our own is free"
        }
    }
}
