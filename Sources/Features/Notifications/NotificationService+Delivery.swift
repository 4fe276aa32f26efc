import FeatureKit
import Auth
import Foundation
import Groups
import Jobs
import Logging
import Metrics
import Push

extension NotificationService {
    /// To every device that is not done with yet, all at once.
    func deliver(
        _ notice: UserNotification, _ item: OutboxItem, to reader: UserID, usefulUntil: Date
    ) async throws -> OutboxVerdict {
        let left = try await devices.devices(of: reader, on: Set(gateways.keys))
            .filter { !notice.settled.contains($0.id) }
        let message = Self.message(of: notice, id: item.id, usefulUntil: usefulUntil)
        var delivery = Delivery(notice: notice)
        for (device, outcome) in await send(message, to: left) {
            delivery.note(outcome, of: device)
            try await act(on: outcome, of: device, notice.kind, askedAt: item.claimedAt)
        }
        guard delivery.failure != nil || delivery.wait != nil else {
            return try await end(delivery.notice, for: reader)
        }
        if delivery.notice != notice || Set(item.lanes) != delivery.lanes {
            try await outbox.remember(delivery.notice, lanes: delivery.lanes.sorted(), of: item)
        }
        let wait = delivery.wait ?? .zero
        if let failure = delivery.failure { return .failed(after: max(failure, wait)) }
        // No provider was asked, so this does not count as a failure, after which pauses would grow. The jitter keeps
        // messages that were turned away together from coming back together.
        let seconds = wait / .seconds(1) * Double.random(in: 1...1.5)
        return .later(item.claimedAt.addingTimeInterval(seconds))
    }

    /// Acts on the consequences of an answer beyond this notification.
    private func act(
        on outcome: PushOutcome, of device: Device, _ kind: NotificationKind, askedAt: Date
    ) async throws {
        switch outcome {
        case .accepted: await faults.noteAccepted(by: device.token.platform)
        case .misconfigured(let reason): await faults.note(reason, of: device.token.platform)
        case .unregistered(let since, let reason):
            try await drop(device, since: since, reason: reason, askedAt: askedAt)
        case .refused(let reason):
            logger.error(
                "a push message was refused", metadata: ["kind": "\(kind)", "reason": "\(reason)"])
        case .doubtful, .throttled, .unavailable, .postponed: break
        }
    }

    private func end(_ notice: UserNotification, for reader: UserID) async throws -> OutboxVerdict {
        if notice.isTold {
            count(notice.kind, "delivered")
            return .done
        }
        count(notice.kind, "unreachable")
        if notice.kind == .invitation,
            let invite = try await invites.open(InvitationID(rawValue: notice.subject), for: reader)
        {
            try await invites.sendBySMS(invite, to: reader)
        }
        return .dropped
    }

    private func send(
        _ message: PushMessage, to devices: [Device]
    ) async -> [(device: Device, outcome: PushOutcome)] {
        await withTaskGroup(of: (Device, PushOutcome)?.self) { group in
            for device in devices {
                guard let gateway = gateways[device.token.platform] else { continue }
                group.addTask { (device, await gateway.send(message, to: device.token)) }
            }
            return await group.reduce(into: []) { results, result in
                if let result { results.append((device: result.0, outcome: result.1)) }
            }
        }
    }

    private func drop(_ device: Device, since: Date?, reason: String, askedAt: Date) async throws {
        guard try await devices.drop(device, goneSince: since, askedAt: askedAt) else { return }
        Counter(
            label: "dayly_push_tokens_dropped_total",
            dimensions: [("platform", device.token.platform.rawValue), ("reason", reason)]
        ).increment()
    }

    /// Nothing in it is about anybody: texts are the app's own, and ids mean nothing to a provider.
    static func message(of notice: UserNotification, id: UUID, usefulUntil: Date) -> PushMessage {
        let group = notice.group.uuidString.lowercased()
        var data = ["kind": notice.kind.rawValue, "group_id": group]
        let collapseID: String
        switch notice.kind {
        case .photo: collapseID = "photo.\(group).\(notice.day ?? "")"
        case .invitation:
            let invite = notice.subject.uuidString.lowercased()
            data["invite_id"] = invite
            collapseID = "invitation.\(invite)"
        }
        return PushMessage(
            id: id, collapseID: collapseID, threadID: group, titleKey: notice.kind.titleKey,
            bodyKey: notice.kind.bodyKey, data: data, expiresAt: usefulUntil,
            urgency: notice.isLate ? .relaxed : .immediate)
    }
}

/// How far the devices of one reader have been told.
private struct Delivery {
    var notice: UserNotification
    /// The longest pause that a failure asks for.
    var failure: Duration?
    /// The longest wait for a provider that was not asked.
    var wait: Duration?
    /// The lanes of the devices that are left.
    var lanes: Set<String> = []

    mutating func note(_ outcome: PushOutcome, of device: Device) {
        switch outcome {
        case .accepted:
            notice.isTold = true
            notice.settled.append(device.id)
        // A doubtful device stays, and hears of the next notification: its credentials may be right by then.
        case .unregistered, .refused, .doubtful: notice.settled.append(device.id)
        case .throttled(let after, _), .unavailable(let after, _):
            failure = max(failure ?? .zero, after ?? .zero)
            lanes.insert(device.token.platform.rawValue)
        case .misconfigured:
            failure = max(failure ?? .zero, .seconds(60))
            lanes.insert(device.token.platform.rawValue)
        case .postponed(let after):
            wait = max(wait ?? .zero, after)
            lanes.insert(device.token.platform.rawValue)
        }
    }
}
