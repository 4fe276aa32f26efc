import Foundation
import NIOCore
import NIOHTTP1
import OutboundHTTP

/// The SMS gateways: whether they answer, know the address and take our credentials. No message is sent.
struct GatewayChecks: Sendable {
    private static let timeout: Duration = .seconds(5)

    let configuration: ServerConfiguration

    func findings() async -> [Finding] {
        let kinds = configuration.sms.kinds.filter { $0 != .console }
        guard !kinds.isEmpty else {
            return [.ok("sms", "printed to the log (sms.kind is console)")]
        }
        let client = OutboundClient()
        var findings: [Finding] = []
        for kind in kinds {
            switch kind {
            case .console: break
            case .http: findings.append(await httpFinding(client))
            case .twilio: findings.append(await twilioFinding(client))
            }
        }
        try? await client.shutdown()
        return findings
    }

    /// A gateway answers a GET with our token by 405 or anything else but a refusal of the token. Many answer 404 to a
    /// GET where they take a POST, so that a POST without a message follows, which no gateway can send.
    private func httpFinding(_ client: OutboundClient) async -> Finding {
        let url = configuration.sms.httpURL ?? ""
        let headers: HTTPHeaders = [
            "Authorization": "Bearer \(configuration.sms.httpToken ?? "")",
            "Content-Type": "application/json",
        ]
        let answer = await status(of: OutboundRequest(.GET, url, headers: headers), client)
        guard answer == .status(404) else { return finding(.http, answer) }
        let posted = await status(
            of: OutboundRequest(.POST, url, headers: headers, body: ByteBuffer(string: "{}")), client)
        if case .status(500...) = posted { return finding(.http, .status(400)) }
        return finding(.http, posted)
    }

    /// Twilio shows the account to those who have its token.
    private func twilioFinding(_ client: OutboundClient) async -> Finding {
        guard let twilio = configuration.sms.twilio else {
            return .skipped("sms", "twilio is not in use")
        }
        let credentials = Data("\(twilio.accountSID):\(twilio.authToken)".utf8).base64EncodedString()
        let request = OutboundRequest(
            .GET, "\(twilio.url)/2010-04-01/Accounts/\(twilio.accountSID).json",
            headers: ["Authorization": "Basic \(credentials)"], maxResponseBytes: 64 << 10)
        return finding(.twilio, await status(of: request, client))
    }

    fileprivate enum Answer: Equatable {
        case status(Int)
        case none(String)
    }

    private func status(of request: OutboundRequest, _ client: OutboundClient) async -> Answer {
        do {
            return .status(try await client.send(request, timeout: Self.timeout).status)
        } catch .cutOff(let head, .tooLarge) {
            return .status(head.status)
        } catch {
            return .none(error.reason)
        }
    }

    private func finding(_ kind: ServerConfiguration.SMSKind, _ answer: Answer) -> Finding {
        let name = kind.rawValue
        let credentials =
            kind == .http ? "sms.http.token" : "sms.twilio.account_sid and sms.twilio.auth_token"
        switch answer {
        case .none(let reason):
            return .problem(
                "sms", "the \(name) gateway does not answer: \(reason)",
                remedy: "Look at sms.\(name).url, and whether this machine may connect to it.")
        case .status(401), .status(403):
            return .problem(
                "sms", "the \(name) gateway refuses our credentials (\(answer.text))",
                remedy: "Correct \(credentials).")
        case .status(300..<400), .status(404), .status(410):
            let unknown = kind == .http ? "nothing at sms.http.url" : "no such account"
            return .problem(
                "sms", "the \(name) gateway has \(unknown) (\(answer.text))",
                remedy: kind == .http
                    ? "Correct sms.http.url; redirects are not followed."
                    : "Correct sms.twilio.account_sid or sms.twilio.url.")
        // 501: the method is not known there, which says nothing about a POST.
        case .status(let status) where status >= 500 && status != 501:
            return .problem(
                "sms", "the \(name) gateway fails (\(answer.text))",
                remedy: "Look at its own log or status page, and at sms.\(name).url.")
        case .status:
            return .ok("sms", "the \(name) gateway answers and takes our credentials")
        }
    }
}

extension GatewayChecks.Answer {
    fileprivate var text: String {
        switch self {
        case .status(let status): "HTTP status \(status)"
        case .none(let reason): reason
        }
    }
}
