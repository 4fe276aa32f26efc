import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import OutboundHTTP

/// Checks that the SMS gateways answer, know the URL and accept our credentials. It sends no message.
struct GatewayChecks: Sendable {
    let configuration: ServerConfiguration

    /// The longest wait for one answer of a gateway.
    var timeout: Duration = .seconds(5)

    func findings() async -> [Finding] {
        let kinds = configuration.sms.kinds.filter { $0 != .console }
        guard !kinds.isEmpty else {
            return [.ok("sms", "messages are printed to the log (sms.kind is console)")]
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

    /// A gateway with a valid token answers a GET by 405 or another status, but not by 401 or 403. Many answer 404 to a GET
    /// of a path that takes a POST. The check then sends a POST with an empty object, which is not a valid message.
    private func httpFinding(_ client: OutboundClient) async -> Finding {
        let url = configuration.sms.httpURL?.absoluteString ?? ""
        let headers: HTTPHeaders = [
            "Authorization": "Bearer \(configuration.sms.httpToken ?? "")",
            "Content-Type": "application/json",
        ]
        let answer = await status(of: OutboundRequest(.GET, url, headers: headers), client)
        if case .page = answer {
            return .warning(
                "sms", "a web page answers at sms.http.url",
                remedy: "Correct sms.http.url, unless the gateway shows a page there.")
        }
        guard answer == .status(404) else { return finding(.http, answer) }
        let posted = await status(
            of: OutboundRequest(.POST, url, headers: headers, body: ByteBuffer(string: "{}")), client)
        if case .status(500...) = posted { return finding(.http, .status(400)) }
        return finding(.http, posted)
    }

    /// Twilio shows an account to the owner of its token.
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
        /// A success with a document for people.
        case page
        case none(String)

        init(_ head: OutboundHead) {
            let type = head.headers.first(name: "Content-Type")?.lowercased()
            let isPage = (200..<300).contains(head.status) && type?.hasPrefix("text/html") == true
            self = isPage ? .page : .status(head.status)
        }
    }

    private func status(of request: OutboundRequest, _ client: OutboundClient) async -> Answer {
        do {
            return Answer(try await client.send(request, timeout: timeout).head)
        } catch .cutOff(let head, .tooLarge) {
            return Answer(head)
        } catch {
            return .none(error.reason)
        }
    }

    private func finding(_ kind: SMSSettings.Kind, _ answer: Answer) -> Finding {
        let name = kind.rawValue
        let credentials =
            kind == .http ? "sms.http.token" : "sms.twilio.account_sid and sms.twilio.auth_token"
        switch answer {
        case .none(let reason):
            return .problem(
                "sms", "the \(name) gateway does not answer: \(reason)",
                remedy: "Check sms.\(name).url, and that this machine may connect to it.")
        case .status(401), .status(403):
            return .problem(
                "sms", "the \(name) gateway refuses our credentials (\(answer.text))",
                remedy: "Correct \(credentials).")
        case .status(300..<400), .status(404), .status(410):
            let unknown = kind == .http ? "does not know sms.http.url" : "does not know the account"
            return .problem(
                "sms", "the \(name) gateway \(unknown) (\(answer.text))",
                remedy: kind == .http
                    ? "Correct sms.http.url; redirects are not followed."
                    : "Correct sms.twilio.account_sid or sms.twilio.url.")
        // 501: the gateway does not know GET, which does not mean anything for a POST.
        case .status(let status) where status >= 500 && status != 501:
            return .problem(
                "sms", "the \(name) gateway fails (\(answer.text))",
                remedy: "Check the gateway's log or status page, and sms.\(name).url.")
        case .status where kind == .http, .page:
            return .ok(
                "sms", "the \(name) gateway answers; only a message shows whether it takes messages")
        case .status:
            return .ok("sms", "the \(name) gateway answers and accepts our credentials")
        }
    }
}

extension GatewayChecks.Answer {
    fileprivate var text: String {
        switch self {
        case .status(let status): "HTTP status \(status)"
        case .page: "a web page"
        case .none(let reason): reason
        }
    }
}
