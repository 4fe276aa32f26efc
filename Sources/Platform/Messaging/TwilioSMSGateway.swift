import Foundation
import NIOHTTP1

/// Twilio's Messages API (https://www.twilio.com/docs/messaging/api/message-resource). It does not take our ids, so a
/// message whose outcome is unknown is not sent again.
package struct TwilioSMSGateway: SMSGateway {
    /// The sender: a number, or a messaging service that chooses one.
    package enum Sender: Sendable {
        case number(String)
        case messagingService(String)

        /// An id that begins with `MG` is a messaging service.
        package init(_ text: String) {
            self = text.hasPrefix("MG") ? .messagingService(text) : .number(text)
        }
    }

    private let url: URL
    private let authorization: String
    private let sender: Sender
    private let transport: SMSTransport

    /// - Parameter baseURL: nil for Twilio's own; another one only in tests.
    package init(
        accountSID: String, authToken: String, sender: Sender, baseURL: URL? = nil,
        transport: SMSTransport
    ) {
        let api = baseURL ?? URL(string: "https://api.twilio.com") ?? URL(filePath: "/")
        url = api.appending(components: "2010-04-01", "Accounts", accountSID, "Messages.json")
        authorization = "Basic " + Data("\(accountSID):\(authToken)".utf8).base64EncodedString()
        self.sender = sender
        self.transport = transport
    }

    package func send(_ message: SMSMessage) async throws {
        var form = [("To", message.to), ("Body", message.body)]
        switch sender {
        case .number(let number): form.append(("From", number))
        case .messagingService(let id): form.append(("MessagingServiceSid", id))
        }
        try await transport.post(
            url: url,
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Authorization": authorization,
            ],
            body: FormEncoder.encode(form), repeatableBy: nil)
    }
}
