import Foundation
import Logging
import Push

/// The push providers: whether they can be reached and take our credentials. What is sent is for a device that there
/// is not: a provider that says so has looked at everything else before.
struct PushChecks: Sendable {
    let push: ServerConfiguration.Push
    let logger: Logger

    func findings() async -> [Finding] {
        guard push.apns != nil || push.fcm != nil else {
            return [.skipped("push", "not in use (push.kind is none)")]
        }
        let pushes: PushGateways
        do {
            pushes = try PushGateways(push, logger: logger)
        } catch let failure as ServeFailure {
            return [.problem("push", failure.reason, remedy: failure.remedy)]
        } catch {
            return [.problem("push", "\(error)", remedy: "Look at push.*.")]
        }
        var findings: [Finding] = []
        for platform in PushPlatform.allCases {
            guard let gateway = pushes.gateways[platform], let nobody = Self.nobody(on: platform) else {
                continue
            }
            let outcome = await gateway.send(PushCommand.message(expiresAt: Date()), to: nobody)
            findings.append(Self.finding(gateway.name, outcome))
        }
        try? await pushes.shutdown()
        return findings
    }

    /// Looks like a device's token, and is none's.
    private static func nobody(on platform: PushPlatform) -> DeviceToken? {
        DeviceToken(String(repeating: "0", count: 64), platform: platform)
    }

    static func finding(_ name: String, _ outcome: PushOutcome) -> Finding {
        switch outcome {
        // The answers of a provider about a token that it never gave out.
        case .accepted, .unregistered, .throttled, .doubtful("BadDeviceToken"),
            .doubtful("INVALID_ARGUMENT"):
            .ok("push", "\(name) takes our credentials")
        case .doubtful, .unavailable, .postponed, .refused, .misconfigured:
            .problem(
                "push", PushCommand.statement(name, outcome), remedy: PushCommand.remedy(name, outcome))
        }
    }
}
