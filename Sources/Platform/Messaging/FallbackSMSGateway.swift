import Metrics
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

    /// How long a gateway is passed over, after so many failures in a row.
    package struct Rest: Sendable {
        package var failures = 3
        package var duration: Duration = .seconds(30)

        package init() {}
    }

    private let gateways: [(named: Named, health: Health)]
    private let rest: Rest

    package init(_ gateways: [Named], rest: Rest = Rest()) {
        self.gateways = gateways.map { ($0, Health()) }
        self.rest = rest
    }

    /// - Throws: `.unavailable` when another attempt at one of the gateways may succeed. A message whose outcome is unknown
    ///   goes to no further gateway, which would send it a second time.
    package func send(_ message: SMSMessage) async throws {
        var reasons: [String] = []
        var mayRecover = false
        for (named, health) in order(for: message) {
            let started = ContinuousClock.now
            do {
                try await named.gateway.send(message)
                health.succeeded()
                count(named.name, "accepted", since: started)
                return
            } catch let error as CancellationError {
                throw error
            } catch SMSGatewayError.noConnectionFree {
                count(named.name, "no_connection_free", since: started)
                throw SMSGatewayError.noConnectionFree
            } catch SMSGatewayError.rejected(let reason) {
                // A gateway that rejects a message works.
                health.succeeded()
                count(named.name, "rejected", since: started)
                reasons.append(SMSGatewayError.rejected(reason).description)
            } catch SMSGatewayError.unknown(let reason, let repeatableBy) {
                health.failed(rest)
                count(named.name, "unknown", since: started)
                reasons.append(SMSGatewayError.unknown(reason, repeatableBy: nil).description)
                throw SMSGatewayError.unknown(
                    reasons.joined(separator: "; "), repeatableBy: repeatableBy.map { _ in named.name })
            } catch {
                mayRecover = true
                health.failed(rest)
                count(named.name, "unavailable", since: started)
                reasons.append(
                    (error as? SMSGatewayError)?.description ?? "unavailable: \(type(of: error))")
            }
        }
        let summary = reasons.isEmpty ? "no gateway is configured" : reasons.joined(separator: "; ")
        throw mayRecover ? SMSGatewayError.unavailable(summary) : SMSGatewayError.rejected(summary)
    }

    /// Gateways that rest come last: better a try than none.
    private func order(for message: SMSMessage) -> [(named: Named, health: Health)] {
        if let only = message.onlyGateway { return gateways.filter { $0.named.name == only } }
        let now = ContinuousClock.now
        return gateways.filter { !$0.health.rests(at: now) }
            + gateways.filter { $0.health.rests(at: now) }
    }

    private func count(_ name: String, _ outcome: String, since started: ContinuousClock.Instant) {
        Timer(
            label: "dayly_sms_gateway_seconds", dimensions: [("gateway", name), ("outcome", outcome)]
        )
        .recordSeconds((ContinuousClock.now - started) / .seconds(1))
    }

    private final class Health: Sendable {
        private struct State {
            var failures = 0
            var restsUntil: ContinuousClock.Instant?
        }

        private let state = Mutex(State())

        func rests(at now: ContinuousClock.Instant) -> Bool {
            state.withLock { $0.restsUntil.map { now < $0 } ?? false }
        }

        func succeeded() {
            state.withLock { $0 = State() }
        }

        func failed(_ rest: Rest) {
            state.withLock { state in
                state.failures += 1
                if state.failures >= rest.failures { state.restsUntil = .now + rest.duration }
            }
        }
    }
}
