import FeatureKit
import Foundation
import Jobs
import Postgres
import Push

extension NotificationService {
    /// How long a provider is tried. The row holds the token of a device that is deleted already.
    private static let farewellLifetime: Duration = .seconds(900)
    /// How long a provider keeps the message for a device that is off: as long as the longest-lived of them can.
    private static let farewellUse: TimeInterval = 28 * 86_400

    /// Records a last message to each device of the sessions. A device so learns that its session has ended, although it does
    /// not run: it takes away the notifications that it shows, and deletes what it keeps.
    func bidFarewell(_ tx: PostgresTransaction, to sessions: [SessionID]) throws {
        for device in try DeviceStore.devices(tx, of: sessions, on: Set(gateways.keys)) {
            guard let address = device.farewell.address else { continue }
            try OutboxStore.post(
                tx, topic: NotificationOutbox.Topic.farewell, device.farewell, owner: device.owner.rawValue,
                lifetime: Self.farewellLifetime, lanes: [address.lane])
        }
    }

    func sendFarewell(_ item: OutboxItem) async throws -> OutboxVerdict {
        guard let token = try item.payload(as: Farewell.self).address, let gateway = gateways[token.platform],
            // Somebody has signed in there again.
            try await !devices.isRegistered(token)
        else { return .dropped }
        let kind = NotificationKind.signedOut
        let message = PushMessage(
            id: item.id, collapseID: kind.rawValue, threadID: kind.rawValue, titleKey: kind.titleKey,
            bodyKey: kind.bodyKey, data: ["kind": kind.rawValue],
            expiresAt: item.claimedAt.addingTimeInterval(Self.farewellUse), isSilent: true,
            reader: item.owner)
        switch await gateway.send(message, to: token) {
        case .accepted:
            count(kind, "delivered")
            return .done
        case .unregistered, .refused, .doubtful:
            count(kind, "unreachable")
            return .dropped
        case .throttled(let after, _), .unavailable(let after, _): return .failed(after: after)
        case .misconfigured: return .failed(after: .seconds(60))
        case .postponed(let after): return .later(item.claimedAt.addingTimeInterval(after / .seconds(1)))
        }
    }
}
