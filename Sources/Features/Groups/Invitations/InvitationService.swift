import FeatureKit
import Auth
import Foundation
import Logging
import Messaging
import Postgres
import RateLimiting

/// Sending invitations. Whoever is invited becomes a member only by redeeming: see `redeem`.
package struct InvitationService: Sendable {
    package let store: InvitationStore
    let groups: GroupStore
    let blocks: BlockStore
    let optOuts: OptOutStore
    let rates: RateLimits
    let messages: SMSQueue
    /// Nil: everybody is told by SMS.
    let pushes: (any InvitationPushes)?
    package let links: InvitationLinks
    let rules: GroupSettings
    let makeCode: @Sendable () -> InvitationCode
    let logger: Logger

    /// - Parameter makeCode: a new code for each call, from a secure generator.
    package init(
        store: InvitationStore, groups: GroupStore, optOuts: OptOutStore, rates: RateLimits,
        messages: SMSQueue,
        pushes: (any InvitationPushes)? = nil, links: InvitationLinks, rules: GroupSettings = GroupSettings(),
        makeCode: @escaping @Sendable () -> InvitationCode = { .random() }, logger: Logger
    ) {
        self.store = store
        self.groups = groups
        blocks = store.blocks
        self.optOuts = optOuts
        self.rates = rates
        self.messages = messages
        self.pushes = pushes
        self.links = links
        self.rules = rules
        self.makeCode = makeCode
        self.logger = logger
    }

    /// The open invitations to the caller.
    package func received(by user: UserID) async throws -> [OwnInvitation] {
        try await store.open(for: UserStore(postgres: groups.postgres).require(user))
    }

    /// Invites the numbers to a group that the caller is in. Members' numbers are reported as such; a number with an
    /// open invitation to the group gets the same one again.
    /// - Throws: `GroupError.notFound`, `.groupFull`, `.inviteLimitReached`, `.tooManyNumbers`; nothing is sent then.
    package func send(
        to numbers: [PhoneNumber], group: GroupID, by user: UserID
    ) async throws -> [InvitationResult] {
        let batch = try await groups.postgres.transaction { transaction in
            let sender = try UserStore.lockUser(transaction, user)
            let name = try groups.lockAsMember(in: transaction, group: group, user: user)
            let numbers = invitees(among: numbers, for: sender)
            guard numbers.count <= rules.numbersPerCall else {
                throw GroupError.tooManyNumbers(limit: rules.numbersPerCall)
            }
            guard try groups.countMembers(in: transaction, of: group) < rules.membersPerGroup else {
                throw GroupError.groupFull
            }
            return try invite(
                numbers, in: transaction, to: JoinedGroup(id: group, name: name), by: sender,
                whenSenderQuotaIsSpent: .refuse)
        }
        await dispatch(batch)
        return batch.results
    }

    /// The numbers once each, without the caller's own.
    func invitees(among numbers: [PhoneNumber], for caller: UserProfile) -> [PhoneNumber] {
        var seen: Set<PhoneNumber> = [caller.phoneNumber]
        return numbers.filter { seen.insert($0).inserted }
    }

    /// What a transaction decided: the answer, and the SMS that go out once it is committed.
    struct Batch: Sendable {
        let results: [InvitationResult]
        let messages: [SMSMessage]
        let decisions: [MessageDecision]
    }

    enum SenderQuotaPolicy {
        case refuse
        case leaveOutMessage
    }

    /// Makes what invitations are missing and decides who gets an SMS. The sender's and the group's rows are held.
    func invite(
        _ numbers: [PhoneNumber], in transaction: PostgresTransaction, to group: JoinedGroup,
        by sender: UserProfile, whenSenderQuotaIsSpent policy: SenderQuotaPolicy
    ) throws -> Batch {
        let members = try groups.memberNumbers(in: transaction, group: group.id, among: numbers)
        var open = try store.open(in: transaction, group: group.id, among: numbers)
        let missing = numbers.filter { !members.contains($0.rawValue) && open[$0.rawValue] == nil }
        try requireRoom(for: missing.count, in: group.id, transaction)
        for number in missing {
            open[number.rawValue] = try insert(number, group: group.id, by: sender.id, in: transaction)
        }
        let results = numbers.map { number in
            InvitationResult(
                phoneNumber: number,
                invite: members.contains(number.rawValue) ? nil : open[number.rawValue])
        }
        let recipients = try recipients(in: transaction, from: group.id, among: numbers)
        var messages: [SMSMessage] = []
        var decisions: [MessageDecision] = []
        // By number: two senders who invite the same people count them in the same order.
        for result in results.sorted(by: { $0.phoneNumber.rawValue < $1.phoneNumber.rawValue }) {
            guard let invite = result.invite else { continue }
            let decision = try decide(
                on: result.phoneNumber, invite, by: sender, recipients, in: transaction, policy)
            decisions.append(decision)
            if decision == .due {
                messages.append(message(to: result.phoneNumber, invite, group.name, from: sender.firstName))
            }
            if decision == .pushed, let user = recipients.reachable[result.phoneNumber.rawValue] {
                try pushes?.push(
                    in: transaction, invite: invite.id, to: group.id, for: user,
                    lifetime: rules.inviteLifetime)
            }
        }
        let admitted = try admitted(messages, in: transaction)
        decisions =
            decisions.filter { $0 != .due } + admitted.map { _ in .due }
            + Array(repeating: .ceiling, count: messages.count - admitted.count)
        return Batch(results: results, messages: admitted, decisions: decisions)
    }

    /// Hands the SMS to the queue. What the queue does not take is left out: the invitation stands.
    func dispatch(_ batch: Batch) async {
        for decision in batch.decisions { decision.count() }
        var refused = 0
        for message in batch.messages {
            if await !enqueue(message) { refused += 1 }
        }
        if refused > 0 {
            logger.warning("invitation SMS left out: the queue is full", metadata: ["count": "\(refused)"])
        }
    }

    private func requireRoom(
        for count: Int, in group: GroupID, _ transaction: PostgresTransaction
    ) throws {
        guard count > 0 else { return }
        let open = try store.countOpen(in: transaction, group: group)
        guard open.count + count <= rules.openInvitesPerGroup else {
            throw GroupError.inviteLimitReached(retryAfter: open.untilNextExpiry)
        }
    }

    private func insert(
        _ number: PhoneNumber, group: GroupID, by sender: UserID, in transaction: PostgresTransaction
    ) throws -> OpenInvitation {
        // A number has a few of 2^30 codes at most, so a second try is rare.
        for _ in 0..<10 {
            let invite = OpenInvitation(id: InvitationID(rawValue: .version7()), code: makeCode())
            let isInserted = try store.insert(
                in: transaction, invite: invite, group: group, phoneNumber: number, invitedBy: sender,
                lifetime: rules.inviteLifetime)
            if isInserted { return invite }
        }
        throw NoFreeCode()
    }

    func message(
        to number: PhoneNumber, _ invite: OpenInvitation, _ group: String, from inviter: String?
    ) -> SMSMessage {
        SMSMessage(
            id: .version7(), to: number.rawValue,
            body: InvitationMessage.text(
                inviter: inviter, group: group, link: links.download(for: invite.code),
                code: invite.code))
    }
}

/// Ten codes in a row were taken: the generator is broken.
struct NoFreeCode: Error {}
