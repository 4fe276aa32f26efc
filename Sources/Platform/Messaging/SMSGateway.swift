import Foundation

/// One text message to one number.
package struct SMSMessage: Sendable {
    /// Stays the same over retries and gateways, so that a gateway can recognise a repetition.
    package let id: UUID
    /// The recipient in E.164.
    package let to: String
    package let body: String
    /// The only gateway that may get the message from now on, by its name: it may have the message already, and it
    /// recognises the id. Nil: any gateway may get it.
    package var onlyGateway: String?

    package init(id: UUID, to: String, body: String) {
        self.id = id
        self.to = to
        self.body = body
    }
}

/// A gateway for text messages. `send` returns once the gateway has accepted the message and throws `SMSGatewayError`
/// when it has not.
package protocol SMSGateway: Sendable {
    func send(_ message: SMSMessage) async throws
}

/// Why a gateway did not take a message. Holds no number and no text: it is logged.
package enum SMSGatewayError: Error, Equatable, CustomStringConvertible {
    /// The gateway said no, and would again: the message itself or the credentials are at fault.
    case rejected(String)
    /// The gateway could not be asked or is busy. It does not have the message, so that it or another gateway may be
    /// asked again.
    case unavailable(String)
    /// The request went out and its answer did not come, so the message may be on its way.
    ///
    /// - Parameter repeatableBy: the name of the gateway, where it recognises the message's id, so that a repetition is
    ///   does not become a second message; nil where the message must not be sent again.
    case unknown(String, repeatableBy: String?)
    /// No connection of our own was free. No gateway is at fault.
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
