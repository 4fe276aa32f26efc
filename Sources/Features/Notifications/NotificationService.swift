import Auth
import FeatureKit
import Foundation
import Groups
import Jobs
import Logging
import Metrics
import Postgres
import Push

/// Delivers notifications. Before each delivery it checks again that the reason still exists and that the reader still wants
/// the notification.
///
/// A notification that was not delivered leaves no trace, so the reader may be notified of a later event of the day.
struct NotificationService: Sendable {
    let store: NotificationStore
    let devices: DeviceStore
    let faults: PushFaultLog
    let outbox: OutboxStore
    let gateways: [PushPlatform: any PushGateway]
    let sources: [NotificationKind: NotificationSource]
    let personalSources: [NotificationKind: PersonalNotificationSource]
    let invites: InvitationService
    let logger: Logger

    /// - Parameters:
    ///   - gateways: the gateways of the platforms whose devices can be reached.
    ///   - sources: for each kind of notification about groups, whether its reason still holds.
    ///   - personalSources: the same for each kind of personal notification.
    init(
        outbox: OutboxStore, postgres: PostgresClient, gateways: [PushPlatform: any PushGateway],
        sources: [NotificationKind: NotificationSource],
        personalSources: [NotificationKind: PersonalNotificationSource] = [:], invites: InvitationService,
        logger: Logger
    ) {
        self.outbox = outbox
        store = NotificationStore(postgres: postgres)
        devices = DeviceStore(postgres: postgres)
        faults = PushFaultLog(store: PushFaultStore(postgres: postgres))
        self.gateways = gateways
        self.sources = sources
        self.personalSources = personalSources
        self.invites = invites
        self.logger = logger
    }

    /// The handlers of an `OutboxWorker` for the rows of this feature.
    var handlers: [String: OutboxHandler] {
        [
            NotificationOutbox.Topic.group: { try await fanOut($0) },
            NotificationOutbox.Topic.user: { try await notify($0) },
            NotificationOutbox.Topic.personal: { try await notify($0) },
            NotificationOutbox.Topic.farewell: { try await sendFarewell($0) },
        ]
    }

    /// The lanes of an `OutboxWorker`: one for each provider, with as many places as it accepts messages now.
    var lanes: [String: OutboxLane] {
        gateways.reduce(into: [:]) { lanes, entry in
            let (platform, gateway) = (entry.key, entry.value)
            for lane in platform.lanes { lanes[lane] = { gateway.openPlaces(in: lane) } }
        }
    }

    private var platforms: Set<PushPlatform> { Set(gateways.keys) }

    /// Records a notification for each recipient. Repeating it has no further effect.
    private func fanOut(_ item: OutboxItem) async throws -> OutboxVerdict {
        let notification: GroupNotification = try item.payload()
        guard let sender = item.owner, !gateways.isEmpty,
            let happenedAt = try await sources[notification.kind]?.happenedAt(notification.subject)
        else { return .dropped }
        _ = try await store.fanOut(notification, by: UserID(sender), happenedAt: happenedAt, on: platforms)
        return .done
    }

    private func notify(_ item: OutboxItem) async throws -> OutboxVerdict {
        var notification: UserNotification = try item.payload()
        guard let owner = item.owner else { return .dropped }
        let reader = UserID(owner)
        switch try await timing(of: notification, item, for: reader) {
        case .never(let reason):
            // A provider may have accepted the message for some devices in an earlier attempt.
            count(notification.kind, notification.isDelivered ? "delivered" : reason)
            return notification.isDelivered ? .done : .dropped
        case .quiet(let until):
            if !notification.isLate {
                notification.isLate = true
                try await outbox.remember(notification, of: item)
            }
            return .later(until)
        case .now(let usefulUntil, let name):
            return try await deliver(notification, item, to: reader, usefulUntil: usefulUntil, name: name)
        }
    }

    private enum Timing {
        /// The reason does not hold any more, or the reader must not be notified. The text is a metric's label.
        case never(String)
        /// The reader has quiet hours.
        case quiet(until: Date)
        case now(usefulUntil: Date, name: String?)
    }

    private func timing(
        of notification: UserNotification, _ item: OutboxItem, for reader: UserID
    ) async throws -> Timing {
        if let personal = notification.personal {
            return try await timing(of: personal, usefulUntil: item.expiresAt, for: reader)
        }
        guard let group = notification.group, let subject = notification.subject else {
            return .never("gone")
        }
        guard notification.kind != .invitation else {
            return try await timingOfInvitation(InvitationID(rawValue: subject), for: reader)
        }
        guard let day = notification.day else { return .never("gone") }
        return try await timing(
            of: NotificationQuestion(
                group: GroupID(rawValue: group), reader: reader, day: day, subject: subject),
            notification.kind)
    }

    /// The order matters: whether the reason holds is asked last, right before the message goes out.
    private func timing(
        of personal: PersonalNotification, usefulUntil: Date, for reader: UserID
    ) async throws -> Timing {
        guard let source = personalSources[personal.kind],
            let user = try await store.user(reader, quietHours: source.quietHours)
        else { return .never("gone") }
        if let quietUntil = user.quietUntil {
            return quietUntil < usefulUntil ? .quiet(until: quietUntil) : .never("quiet")
        }
        guard try await source.isDue(personal, reader) else { return .never("gone") }
        return .now(usefulUntil: usefulUntil, name: nil)
    }

    private func timing(of question: NotificationQuestion, _ kind: NotificationKind) async throws -> Timing {
        guard let member = try await store.member(question.reader, of: question.group, day: question.day)
        else {
            return .never("not_member")
        }
        if member.isMuted { return .never("muted") }
        guard let use = try await sources[kind]?.latestUse(question) else {
            return .never("gone")
        }
        guard let quietUntil = member.quietUntil else {
            return .now(usefulUntil: use, name: member.groupName)
        }
        return member.quietEndsOnDay && quietUntil < use ? .quiet(until: quietUntil) : .never("quiet")
    }

    private func timingOfInvitation(
        _ invitation: InvitationID, for reader: UserID
    ) async throws -> Timing {
        guard let user = try await store.user(reader),
            let invite = try await invites.open(invitation, for: reader)
        else { return .never("gone") }
        guard let quietUntil = user.quietUntil, quietUntil < invite.expiresAt else {
            return .now(usefulUntil: invite.expiresAt, name: nil)
        }
        return .quiet(until: quietUntil)
    }

    func count(_ kind: NotificationKind, _ outcome: String) {
        Counter(
            label: "dayly_notifications_total",
            dimensions: [("kind", kind.rawValue), ("outcome", outcome)]
        ).increment()
    }
}
