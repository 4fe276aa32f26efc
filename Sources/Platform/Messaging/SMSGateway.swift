import Foundation

/// One text message to one number.
package struct SMSMessage: Sendable {
    /// Stays the same over retries and gateways, so that a gateway can recognise a repetition.
    package let id: UUID
    /// The recipient in E.164.
    package let to: String
    package let body: String

    package init(id: UUID, to: String, body: String) {
        self.id = id
        self.to = to
        self.body = body
    }
}

/// What carries text messages. `send` returns once the gateway has accepted the message and throws `SMSGatewayError`
/// when it has not.
package protocol SMSGateway: Sendable {
    func send(_ message: SMSMessage) async throws
}

/// Why a gateway did not take a message. Holds no number and no text: it is logged.
package enum SMSGatewayError: Error, Equatable, CustomStringConvertible {
    /// It said no, and would again: the message itself or the credentials are at fault.
    case rejected(String)
    /// It could not be asked or is busy: worth another try.
    case unavailable(String)

    package var description: String {
        switch self {
        case .rejected(let reason): "rejected: \(reason)"
        case .unavailable(let reason): "unavailable: \(reason)"
        }
    }
}
