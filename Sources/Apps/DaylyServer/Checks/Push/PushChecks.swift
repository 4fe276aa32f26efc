import CommandKit
import Foundation
import Logging
import Push

/// Checks that the push providers can be reached and accept our credentials. It sends a message to a device that does not
/// exist: a provider that says so has checked everything else before. Messages to browsers cannot be tried without one.
struct PushChecks: Sendable {
    let push: PushSettings
    let logger: Logger

    func findings() async -> [Finding] {
        guard push.apns != nil || push.fcm != nil || push.web != nil else {
            return [.skipped("push", "not in use (push.kind is none)")]
        }
        let pushes: PushGateways
        do {
            pushes = try PushGateways(push, publicURL: "", logger: logger)
        } catch let failure as CommandFailure {
            return [.problem("push", failure.reason, remedy: failure.remedy)]
        } catch {
            return [.problem("push", "\(error)", remedy: "Check push.*.")]
        }
        var findings: [Finding] = []
        for platform in PushPlatform.allCases {
            guard let gateway = pushes.gateways[platform], let token = Self.unusedToken(on: platform) else {
                continue
            }
            let outcome = await gateway.send(PushDiagnosis.message(expiresAt: Date()), to: token)
            findings.append(Self.finding(gateway.name, outcome))
        }
        try? await pushes.shutdown()
        if let web = push.web { findings.append(Self.finding(web)) }
        return findings
    }

    static func finding(_ web: WebPushSettings) -> Finding {
        let domain = WebPushContact.publicDomain(of: web.contact) ?? ""
        return .ok("push", "messages to browsers can be signed, with \(domain) as the contact's domain")
    }

    /// A token of the right form that no device has.
    private static func unusedToken(on platform: PushPlatform) -> DeviceToken? {
        platform == .web ? nil : DeviceToken(String(repeating: "0", count: 64), platform: platform)
    }

    static func finding(_ name: String, _ outcome: PushOutcome) -> Finding {
        switch outcome {
        // The providers' answers about a token that they never issued.
        case .accepted, .unregistered, .throttled, .doubtful("BadDeviceToken"),
            .doubtful("INVALID_ARGUMENT"):
            .ok("push", "\(name) accepts our credentials")
        case .doubtful, .unavailable, .postponed, .refused, .misconfigured:
            .problem(
                "push", PushDiagnosis.statement(name, outcome), remedy: PushDiagnosis.remedy(name, outcome))
        }
    }
}
