import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Notifications
import Postgres

/// The push messages about a pet that is sick, near death or dead: at 09:00 after the reset, until that day ends.
struct CompanionPetNotices: Sendable {
    let outbox: NotificationOutbox
    let rules: PetRules

    /// Only the reset at the beginning of the running day is still useful to be told.
    func post(
        _ tx: PostgresTransaction, _ findings: [CompanionResetFinding], about owners: [CompanionEndedDays]
    ) throws {
        let last = Dictionary(
            owners.compactMap { ended in
                ended.days.last.map { (CompanionPetDay(user: ended.owner.user, ended: $0), ended.owner) }
            }.map { ($0.user, (day: $0.ended.day, owner: $1)) }, uniquingKeysWith: { $1 })
        let told = findings.compactMap { finding in
            last[finding.user].flatMap { $0.day == finding.day ? ToldReset(finding, $0.owner) : nil }
        }
        guard !told.isEmpty else { return }
        let mornings = try CompanionPetNoticeStore.mornings(tx, of: told.map(\.owner))
        try outbox.notify(
            tx, zip(told, mornings).flatMap { told, morning in told.drafts(at: morning, rules) })
    }

    /// Answers right before a message is sent whether its reason still holds.
    static func sources(
        _ postgres: PostgresClient, _ rules: PetRules
    ) -> [NotificationKind: PersonalNotificationSource] {
        let kinds: [NotificationKind] = [.companionPetSick, .companionPetDying, .companionPetDead]
        return kinds.reduce(into: [:]) { sources, kind in
            sources[kind] = PersonalNotificationSource { notification, user in
                guard let id = UUID(uuidString: notification.subject) else { return false }
                let state = try await CompanionPetNoticeStore.pet(postgres, CompanionPetID(id), of: user)
                return state.map { holds(kind, $0, rules) } ?? false
            }
        }
    }

    private static func holds(
        _ kind: NotificationKind, _ state: CompanionPetNoticeStore.State, _ rules: PetRules
    ) -> Bool {
        switch kind {
        case .companionPetSick: state.health == .sick
        case .companionPetDying:
            state.health != .dead && state.unfedDays == rules.deadAfter - 1
                && state.foodEnergy < rules.fedEnergy
        case .companionPetDead: state.health == .dead
        default: false
        }
    }
}

/// A reset whose owner is told.
private struct ToldReset {
    let finding: CompanionResetFinding
    let owner: CompanionOwner

    init(_ finding: CompanionResetFinding, _ owner: CompanionOwner) {
        self.finding = finding
        self.owner = owner
    }

    private func kinds(_ rules: PetRules) -> [NotificationKind] {
        var kinds: [NotificationKind] = []
        if finding.hasChanged, finding.health == .sick { kinds.append(.companionPetSick) }
        if finding.hasChanged, finding.health == .dead { kinds.append(.companionPetDead) }
        if finding.health != .dead, finding.unfedDays == rules.deadAfter - 1 {
            kinds.append(.companionPetDying)
        }
        return kinds
    }

    func drafts(at morning: Instant, _ rules: PetRules) -> [PersonalDraft] {
        guard morning < owner.dayTimes.endsAt else { return [] }
        let pet = finding.pet.resourceID.description
        return kinds(rules).map { kind in
            PersonalDraft(
                PersonalNotification(kind, subject: pet), to: owner.user,
                key: "\(pet) \(isoText(day: finding.day))", dueAt: Date(instant: morning),
                usefulUntil: Date(instant: owner.dayTimes.endsAt))
        }
    }
}
