import Auth
import FeatureKit
import Foundation
import Groups
import Jobs
import Logging
import Metrics
import Push

extension NotificationService {
    /// Sends the message to all devices that are not finished, in parallel.
    func deliver(
        _ notification: UserNotification, _ item: OutboxItem, to reader: UserID, usefulUntil: Date,
        name: String?
    ) async throws -> OutboxVerdict {
        let left = try await devices.devices(of: reader, on: Set(gateways.keys))
            .filter { !notification.finishedDevices.contains($0.id) }
        let message = self.message(
            of: notification, id: item.id, usefulUntil: usefulUntil, name: name, reader: reader.rawValue)
        var delivery = Delivery(notification: notification)
        for (device, outcome) in await send(message, to: left) {
            delivery.note(outcome, of: device)
            try await act(on: outcome, of: device, notification.kind, askedAt: item.claimedAt)
        }
        if delivery.notification.isDelivered, !notification.isDelivered {
            await reportAccepted(notification, to: reader)
        }
        guard delivery.failure != nil || delivery.wait != nil else {
            return try await end(delivery.notification, for: reader)
        }
        if delivery.notification != notification || Set(item.lanes) != delivery.lanes {
            try await outbox.remember(delivery.notification, lanes: delivery.lanes.sorted(), of: item)
        }
        let wait = delivery.wait ?? .zero
        if let failure = delivery.failure { return .failed(after: max(failure, wait)) }
        // No provider was asked, so this does not count as a failure, after which pauses would grow. The jitter keeps
        // messages that were turned away together from coming back together.
        let seconds = wait / .seconds(1) * Double.random(in: 1...1.5)
        return .later(item.claimedAt.addingTimeInterval(seconds))
    }

    /// A failure here must not repeat the message, so it is only logged.
    private func reportAccepted(_ notification: UserNotification, to reader: UserID) async {
        guard let personal = notification.personal, let source = personalSources[personal.kind] else {
            return
        }
        do {
            try await source.accepted(personal, reader)
        } catch {
            logger.error(
                "an accepted push message was not recorded",
                metadata: ["kind": "\(personal.kind.rawValue)", "error": "\(String(reflecting: error))"])
        }
    }

    /// Acts on the consequences of an answer beyond this notification.
    private func act(
        on outcome: PushOutcome, of device: Device, _ kind: NotificationKind, askedAt: Date
    ) async throws {
        switch outcome {
        case .accepted: await faults.recordAccepted(by: device.token.platform)
        case .misconfigured(let reason): await faults.record(reason, of: device.token.platform)
        case .unregistered(let since, let reason):
            try await delete(device, since: since, reason: reason, askedAt: askedAt)
        case .refused(let reason):
            logger.error(
                "a push message was refused", metadata: ["kind": "\(kind.rawValue)", "reason": "\(reason)"])
        case .doubtful, .throttled, .unavailable, .postponed: break
        }
    }

    private func end(_ notification: UserNotification, for reader: UserID) async throws -> OutboxVerdict {
        if notification.isDelivered {
            count(notification.kind, "delivered")
            return .done
        }
        count(notification.kind, "unreachable")
        if notification.kind == .invitation, let subject = notification.subject,
            let invite = try await invites.open(InvitationID(rawValue: subject), for: reader)
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

    private func delete(_ device: Device, since: Date?, reason: String, askedAt: Date) async throws {
        guard try await devices.delete(device, goneSince: since, askedAt: askedAt) else { return }
        Counter(
            label: "dayly_push_tokens_dropped_total",
            dimensions: [("platform", device.token.platform.rawValue), ("reason", reason)]
        ).increment()
    }

    /// The message says nothing about people: its texts are keys of the app's own texts, and the ids mean nothing to a
    /// provider. The group's name is only for gateways that encrypt.
    func message(
        of notification: UserNotification, id: UUID, usefulUntil: Date, name: String? = nil,
        reader: UUID? = nil
    ) -> PushMessage {
        if let personal = notification.personal {
            return message(
                of: personal, id: id, usefulUntil: usefulUntil, isLate: notification.isLate, reader: reader)
        }
        let group = notification.group?.uuidString.lowercased() ?? ""
        var data = ["kind": notification.kind.rawValue, "group_id": group]
        var collapseID = "\(notification.kind.rawValue).\(group).\(notification.day ?? "")"
        if notification.kind == .invitation {
            let invite = notification.subject?.uuidString.lowercased() ?? ""
            data["invite_id"] = invite
            collapseID = "invitation.\(invite)"
        }
        return PushMessage(
            id: id, collapseID: collapseID, threadID: group, titleKey: notification.kind.titleKey,
            bodyKey: notification.kind.bodyKey, data: data, expiresAt: usefulUntil,
            urgency: notification.isLate ? .relaxed : .immediate, name: name, reader: reader)
    }

    private func message(
        of personal: PersonalNotification, id: UUID, usefulUntil: Date, isLate: Bool, reader: UUID?
    ) -> PushMessage {
        let kind = personal.kind
        return PushMessage(
            id: id,
            collapseID: personalSources[kind]?.replacesEarlier ?? true
                ? kind.rawValue : "\(kind.rawValue).\(id.uuidString.lowercased())",
            threadID: kind.rawValue, titleKey: kind.titleKey, bodyKey: personal.bodyKey,
            data: personal.data.merging(["kind": kind.rawValue]) { _, kind in kind }, expiresAt: usefulUntil,
            urgency: isLate ? .relaxed : .immediate, reader: reader)
    }
}

/// The progress of one attempt over a reader's devices.
private struct Delivery {
    var notification: UserNotification
    /// The longest pause that a failure asks for.
    var failure: Duration?
    /// The longest wait for a provider that was not asked.
    var wait: Duration?
    /// The lanes of the devices that are left.
    var lanes: Set<String> = []

    mutating func note(_ outcome: PushOutcome, of device: Device) {
        switch outcome {
        case .accepted:
            notification.isDelivered = true
            notification.finishedDevices.append(device.id)
        // A doubtful device is kept for the next notification: its credentials may be right by then.
        case .unregistered, .refused, .doubtful: notification.finishedDevices.append(device.id)
        case .throttled(let after, _), .unavailable(let after, _):
            failure = max(failure ?? .zero, after ?? .zero)
            lanes.insert(device.token.lane)
        case .misconfigured:
            failure = max(failure ?? .zero, .seconds(60))
            lanes.insert(device.token.lane)
        case .postponed(let after):
            wait = max(wait ?? .zero, after)
            lanes.insert(device.token.lane)
        }
    }
}
