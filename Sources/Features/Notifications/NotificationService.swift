import FeatureKit
import Auth
import Foundation
import Groups
import Jobs
import Logging
import Metrics
import Postgres
import Push

/// Tells people what happened. What was true when it was written down is asked again right before it is told:
/// whether it is still there, and whether the reader is still to hear of it.
///
/// Telling that came to nothing leaves nothing behind: the next news of the day may be told.
package struct NotificationService: Sendable {
    let store: NotificationStore
    let devices: DeviceStore
    let faults: PushFaultLog
    let outbox: Outbox
    let gateways: [PushPlatform: any PushGateway]
    let sources: [NotificationKind: NotificationSource]
    let invites: InvitationService
    let logger: Logger

    /// - Parameters:
    ///   - gateways: of the platforms whose devices can be reached.
    ///   - sources: who knows about what kind of news.
    package init(
        outbox: Outbox, postgres: PostgresClient, gateways: [PushPlatform: any PushGateway],
        sources: [NotificationKind: NotificationSource], invites: InvitationService, logger: Logger
    ) {
        self.outbox = outbox
        store = NotificationStore(postgres: postgres)
        devices = DeviceStore(postgres: postgres)
        faults = PushFaultLog(store: PushFaultStore(postgres: postgres))
        self.gateways = gateways
        self.sources = sources
        self.invites = invites
        self.logger = logger
    }

    /// What an `OutboxWorker` does with the rows of this feature.
    package var handlers: [String: OutboxHandler] {
        [
            NotificationOutbox.Topic.news: { try await spread($0) },
            NotificationOutbox.Topic.notice: { try await tell($0) },
        ]
    }

    /// The lanes of an `OutboxWorker`: one for each platform, as wide as its provider takes messages now.
    package var lanes: [String: OutboxLane] {
        gateways.reduce(into: [:]) { lanes, entry in
            let gateway = entry.value
            lanes[entry.key.rawValue] = { gateway.openPlaces }
        }
    }

    private var platforms: Set<PushPlatform> { Set(gateways.keys) }

    /// Finds out who is to hear of it. Doing it twice changes nothing.
    private func spread(_ item: OutboxItem) async throws -> OutboxVerdict {
        let news: GroupNotification = try item.payload()
        guard let sender = item.owner, !gateways.isEmpty,
            let happenedAt = try await sources[news.kind]?.happenedAt(news.subject)
        else { return .dropped }
        _ = try await store.fanOut(news, by: UserID(sender), happenedAt: happenedAt, on: platforms)
        return .done
    }

    private func tell(_ item: OutboxItem) async throws -> OutboxVerdict {
        var notice: UserNotification = try item.payload()
        guard let owner = item.owner else { return .dropped }
        let reader = UserID(owner)
        let occasion = try await occasion(of: notice, for: reader)
        switch occasion {
        case .over(let why):
            // What some of the devices have shown already was told.
            count(notice.kind, notice.isTold ? "delivered" : why)
            return notice.isTold ? .done : .dropped
        case .quiet(let until):
            if !notice.isLate {
                notice.isLate = true
                try await outbox.remember(notice, of: item)
            }
            return .later(until)
        case .now(let usefulUntil):
            return try await deliver(notice, item, to: reader, usefulUntil: usefulUntil)
        }
    }

    private enum Occasion {
        /// There is nothing to tell, or nobody to hear it.
        case over(String)
        case quiet(until: Date)
        case now(usefulUntil: Date)
    }

    private func occasion(of notice: UserNotification, for reader: UserID) async throws -> Occasion {
        switch notice.kind {
        case .photo: try await occasionOfNews(notice, for: reader)
        case .invitation: try await occasionOfInvitation(notice, for: reader)
        }
    }

    private func occasionOfNews(_ notice: UserNotification, for reader: UserID) async throws -> Occasion {
        guard let day = notice.day else { return .over("gone") }
        let group = GroupID(rawValue: notice.group)
        guard let member = try await store.member(reader, of: group, day: day) else {
            return .over("not_member")
        }
        if member.isMuted { return .over("muted") }
        let question = NotificationQuestion(group: group, reader: reader, day: day, subject: notice.subject)
        guard let use = try await sources[notice.kind]?.latestUse(question) else {
            return .over("gone")
        }
        guard let quietUntil = member.quietUntil else { return .now(usefulUntil: use) }
        return member.quietEndsOnDay && quietUntil < use ? .quiet(until: quietUntil) : .over("quiet")
    }

    private func occasionOfInvitation(_ notice: UserNotification, for reader: UserID) async throws -> Occasion
    {
        guard let user = try await store.user(reader),
            let invite = try await invites.open(InvitationID(rawValue: notice.subject), for: reader)
        else { return .over("gone") }
        guard let quietUntil = user.quietUntil, quietUntil < invite.expiresAt else {
            return .now(usefulUntil: invite.expiresAt)
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
