import AsyncHTTPClient
import NIOCore

/// The SMS gateways: whether they answer at all. Nothing is sent, and no credentials are shown to them.
struct GatewayChecks: Sendable {
    let configuration: ServerConfiguration

    func findings() async -> [Finding] {
        let targets = configuration.sms.kinds.compactMap { kind in
            switch kind {
            case .console: nil as (ServerConfiguration.SMSKind, String)?
            case .http: (kind, configuration.sms.httpURL ?? "")
            case .twilio: (kind, configuration.sms.twilio?.url ?? "")
            }
        }
        guard !targets.isEmpty else {
            return [.ok("sms", "printed to the log (sms.kind is console)")]
        }
        var client = HTTPClient.Configuration()
        client.redirectConfiguration = .disallow
        client.timeout.connect = .seconds(5)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: client)
        var findings: [Finding] = []
        for (kind, url) in targets { findings.append(await finding(kind, url, http)) }
        try? await http.shutdown()
        return findings
    }

    /// Any answer will do: a gateway says 401 or 405 to a bare GET.
    private func finding(
        _ kind: ServerConfiguration.SMSKind, _ url: String, _ http: HTTPClient
    ) async -> Finding {
        do {
            _ = try await http.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
            return .ok("sms", "the \(kind.rawValue) gateway answers")
        } catch {
            let reason = (error as? HTTPClientError)?.shortDescription ?? "no connection"
            return .problem(
                "sms", "the \(kind.rawValue) gateway does not answer: \(reason)",
                remedy: "Look at sms.\(kind.rawValue).url, and whether this machine may connect to it.")
        }
    }
}
