/// Several gateways, tried in order until one accepts the message.
package struct FallbackSMSGateway: SMSGateway {
    private let gateways: [any SMSGateway]

    package init(_ gateways: [any SMSGateway]) {
        self.gateways = gateways
    }

    /// Throws `.unavailable` when trying again may help with at least one of them.
    package func send(_ message: SMSMessage) async throws {
        var reasons: [String] = []
        var mayRecover = false
        for gateway in gateways {
            do {
                return try await gateway.send(message)
            } catch let error as CancellationError {
                throw error
            } catch let error as SMSGatewayError {
                if case .unavailable = error { mayRecover = true }
                reasons.append(error.description)
            } catch {
                mayRecover = true
                reasons.append("unavailable: \(type(of: error))")
            }
        }
        let summary = reasons.isEmpty ? "no gateway is configured" : reasons.joined(separator: "; ")
        throw mayRecover ? SMSGatewayError.unavailable(summary) : SMSGatewayError.rejected(summary)
    }
}
