import Metrics
import Resilience
import Synchronization

/// Several gateways, tried in order until one accepts the message. After several failures in a row a gateway is passed over
/// for a pause, so that not every message waits for it first.
package struct FallbackSMSGateway: SMSGateway {
    /// A gateway with the name that it has in the metrics.
    package struct Named: Sendable {
        package let name: String
        package let gateway: any SMSGateway

        package init(name: String, gateway: any SMSGateway) {
            self.name = name
            self.gateway = gateway
        }
    }

    private let gateways: [Watched]

    /// - Parameter breaker: the state in which each gateway begins: how many failures in a row are too many, and for how
    ///   long the gateway is then passed over.
    package init(
        _ gateways: [Named], breaker: Breaker = Breaker(maxFailures: 3, pause: .seconds(30))
    ) {
        self.gateways = gateways.map { Watched($0, breaker) }
    }

    /// - Throws: `.unavailable` when another attempt at one of the gateways may succeed. A message whose outcome is unknown
    ///   goes to no further gateway, which would send it a second time.
    package func send(_ message: SMSMessage) async throws {
        var reasons: [String] = []
        var mayRecover = false
        for watched in order(for: message) {
            let named = watched.named
            let started = ContinuousClock.now
            do {
                try await named.gateway.send(message)
                watched.recordSuccess()
                count(named.name, "accepted", since: started)
                return
            } catch let error as CancellationError {
                throw error
            } catch SMSGatewayError.noConnectionFree {
                count(named.name, "no_connection_free", since: started)
                throw SMSGatewayError.noConnectionFree
            } catch SMSGatewayError.rejected(let reason) {
                // A gateway that rejects a message works.
                watched.recordSuccess()
                count(named.name, "rejected", since: started)
                reasons.append(SMSGatewayError.rejected(reason).description)
            } catch SMSGatewayError.unknown(let reason, let repeatableBy) {
                watched.recordFailure()
                count(named.name, "unknown", since: started)
                reasons.append(SMSGatewayError.unknown(reason, repeatableBy: nil).description)
                throw SMSGatewayError.unknown(
                    reasons.joined(separator: "; "), repeatableBy: repeatableBy.map { _ in named.name })
            } catch {
                mayRecover = true
                watched.recordFailure()
                count(named.name, "unavailable", since: started)
                reasons.append(
                    (error as? SMSGatewayError)?.description ?? "unavailable: \(type(of: error))")
            }
        }
        let summary = reasons.isEmpty ? "no gateway is configured" : reasons.joined(separator: "; ")
        throw mayRecover ? SMSGatewayError.unavailable(summary) : SMSGatewayError.rejected(summary)
    }

    /// Gateways with an open breaker come last: a try that will probably fail is better than none.
    private func order(for message: SMSMessage) -> [Watched] {
        if let only = message.onlyGateway { return gateways.filter { $0.named.name == only } }
        // Each breaker is read once, so that no gateway is in both parts or in none.
        let parts = Dictionary(grouping: gateways, by: \.isOpen)
        return (parts[false] ?? []) + (parts[true] ?? [])
    }

    private func count(_ name: String, _ outcome: String, since started: ContinuousClock.Instant) {
        Timer(
            label: "dayly_sms_gateway_seconds", dimensions: [("gateway", name), ("outcome", outcome)]
        )
        .recordSeconds((ContinuousClock.now - started) / .seconds(1))
    }

    /// A gateway and its breaker.
    private final class Watched: Sendable {
        let named: Named
        private let breaker: Mutex<Breaker>

        init(_ named: Named, _ breaker: Breaker) {
            self.named = named
            self.breaker = Mutex(breaker)
        }

        var isOpen: Bool { breaker.withLock { $0.isOpen(at: .now) } }

        func recordSuccess() {
            breaker.withLock { $0.recordSuccess() }
        }

        func recordFailure() {
            breaker.withLock { $0.recordFailure(at: .now) }
        }
    }
}
