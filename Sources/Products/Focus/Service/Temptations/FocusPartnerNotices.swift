import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Notifications
import Postgres

/// Push messages between partners. They name nobody.
struct FocusPartnerNotices: Sendable {
    private static let breakUse = TimeInterval(24 * 3_600)
    private static let requestUse = TimeInterval(7 * 86_400)
    /// A user who asks the same person again within this time causes no further message.
    private static let requestPause = TimeInterval(30 * 86_400)

    let outbox: NotificationOutbox

    /// A streak above 0 of one of the member's intentions broke on a day.
    func streakBroke(
        _ tx: PostgresTransaction, of member: FocusMember, intention: UUID, on day: DayNumber,
        partners: [UserID]
    ) throws {
        let now = Date(instant: member.now)
        try outbox.notify(
            tx,
            partners.map { partner in
                PersonalDraft(
                    PersonalNotification(
                        .partnerBreak, subject: Self.text(member.user), data: ["day": isoText(day: day)]),
                    to: partner,
                    key: "\(intention.uuidString.lowercased()) \(isoText(day: day)) \(Self.text(partner))",
                    usefulUntil: now.addingTimeInterval(Self.breakUse),
                    keepUntil: now.addingTimeInterval(8 * 86_400))
            })
    }

    /// The member asks somebody to become their partner.
    func requested(_ tx: PostgresTransaction, by member: FocusMember, of partner: UserID) throws {
        let now = Date(instant: member.now)
        try outbox.notify(
            tx,
            [
                PersonalDraft(
                    PersonalNotification(.partnerRequest, subject: Self.text(member.user)), to: partner,
                    key: "\(Self.text(member.user)) \(Self.text(partner))",
                    usefulUntil: now.addingTimeInterval(Self.requestUse),
                    keepUntil: now.addingTimeInterval(Self.requestPause))
            ])
    }

    private static func text(_ user: UserID) -> String { user.rawValue.uuidString.lowercased() }

    /// Answers right before a message is sent whether the two are still partners, or the request is still open.
    static func sources(_ postgres: PostgresClient) -> [NotificationKind: PersonalNotificationSource] {
        func source(isAccepted: Bool) -> PersonalNotificationSource {
            PersonalNotificationSource(replacesEarlier: false) { notification, reader in
                guard let user = UUID(uuidString: notification.subject) else { return false }
                return try await FocusPartnerNoticeStore(postgres: postgres)
                    .exists(user: UserID(user), partner: reader, isAccepted: isAccepted)
            }
        }
        return [.partnerBreak: source(isAccepted: true), .partnerRequest: source(isAccepted: false)]
    }
}
