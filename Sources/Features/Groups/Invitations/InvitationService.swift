import Auth
import FeatureKit
import Foundation
import Logging
import Messaging
import Postgres
import RateLimiting

/// Invitations. An invitee becomes a member only by redeeming the code.
package struct InvitationService: Sendable {
    let store: InvitationStore
    let groups: GroupStore
    let accounts: Accounts
    let blocks: BlockStore
    let optOuts: OptOutStore
    let rates: RateLimits
    let messages: SMSQueue
    /// Nil: every invitee gets an SMS.
    let pushes: (any InvitationPushes)?
    package let links: InvitationLinks
    let rules: GroupSettings
    let makeCode: @Sendable () -> InvitationCode
    let logger: Logger

    /// - Parameter makeCode: a new code for each call, from a secure generator.
    init(
        store: InvitationStore, groups: GroupStore, accounts: Accounts, optOuts: OptOutStore,
        rates: RateLimits, messages: SMSQueue,
        pushes: (any InvitationPushes)? = nil, links: InvitationLinks, rules: GroupSettings = GroupSettings(),
        makeCode: @escaping @Sendable () -> InvitationCode = { .random() }, logger: Logger
    ) {
        self.store = store
        self.groups = groups
        self.accounts = accounts
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
    func received(by user: UserID) async throws -> [OwnInvitation] {
        try await store.open(for: accounts.require(user))
    }

    /// Invites the numbers to a group that the caller is in. A number with an open invitation to the group keeps this
    /// invitation. The number of a member is reported as such to the one who invited them. For everybody else it is invited
    /// like any other, without a message, so that nobody can test whose number belongs to a member.
    ///
    /// - Throws: `GroupError.notFound`, `.groupFull`, `.inviteLimitReached`, `.tooManyNumbers`. Nothing is sent then.
    func send(
        to numbers: [PhoneNumber], group: GroupID, by user: UserID
    ) async throws -> [InvitationResult] {
        let batch = try await groups.postgres.transaction { tx in
            let sender = try accounts.requireLocked(tx, user)
            let name = try groups.requireLocked(tx, group, asMember: user)
            let numbers = invitees(among: numbers, for: sender)
            guard numbers.count <= rules.numbersPerCall else {
                throw GroupError.tooManyNumbers(limit: rules.numbersPerCall)
            }
            guard try groups.countMembers(tx, of: group) < rules.membersPerGroup else {
                throw GroupError.groupFull
            }
            return try invite(
                tx, numbers, to: JoinedGroup(id: group, name: name), by: sender,
                whenSenderQuotaIsSpent: .refuse)
        }
        await dispatch(batch)
        return batch.results
    }

    /// Each of the numbers once, without the caller's own.
    func invitees(among numbers: [PhoneNumber], for caller: UserProfile) -> [PhoneNumber] {
        var seen: Set<PhoneNumber> = [caller.phoneNumber]
        return numbers.filter { seen.insert($0).inserted }
    }

    /// The outcome of a transaction: the answer, and the SMS that go out after its commit.
    struct Batch: Sendable {
        let results: [InvitationResult]
        let messages: [SMSMessage]
        let decisions: [MessageDecision]
    }

    enum SenderQuotaPolicy {
        case refuse
        case leaveOutMessage
    }

    /// Creates the missing invitations and decides who gets an SMS. The transaction has locked the rows of the sender and the
    /// group.
    func invite(
        _ tx: PostgresTransaction, _ numbers: [PhoneNumber], to group: JoinedGroup,
        by sender: UserProfile, whenSenderQuotaIsSpent policy: SenderQuotaPolicy
    ) throws -> Batch {
        let members = try groups.memberNumbers(tx, group: group.id, among: numbers)
        let known = try store.accepted(tx, group: group.id, among: members, invitedBy: sender.id)
        var open = try store.open(tx, group: group.id, among: numbers)
        let missing = numbers.filter { !known.contains($0.rawValue) && open[$0.rawValue] == nil }
        try requireRoom(tx, for: missing.count, in: group.id)
        for number in missing {
            open[number.rawValue] = try insert(tx, number, group: group.id, by: sender.id)
        }
        let results = numbers.map { number in
            InvitationResult(
                phoneNumber: number,
                invitation: known.contains(number.rawValue) ? nil : open[number.rawValue])
        }
        let recipients = try recipients(tx, from: group.id, among: numbers, members: members)
        var messages: [SMSMessage] = []
        var decisions: [MessageDecision] = []
        // Sorted by number, so that two senders who invite the same people lock the counters in the same order.
        for result in results.sorted(by: { $0.phoneNumber.rawValue < $1.phoneNumber.rawValue }) {
            guard let invitation = result.invitation else { continue }
            let decision = try decide(
                tx, on: result.phoneNumber, invitation, by: sender, recipients, policy)
            decisions.append(decision)
            if decision == .due {
                messages.append(
                    message(to: result.phoneNumber, invitation, group.name, from: sender.firstName))
            }
            if decision == .pushed, let user = recipients.reachable[result.phoneNumber.rawValue] {
                try pushes?.push(
                    tx, invite: invitation.id, to: group.id, for: user,
                    lifetime: rules.inviteLifetime)
            }
        }
        let admitted = try admitted(tx, messages)
        decisions =
            decisions.filter { $0 != .due } + admitted.map { _ in .due }
            + Array(repeating: .ceiling, count: messages.count - admitted.count)
        return Batch(results: results, messages: admitted, decisions: decisions)
    }

    /// Hands the SMS to the queue. When the queue is full, the rest is dropped, and the invitations stay open.
    func dispatch(_ batch: Batch) async {
        for decision in batch.decisions { decision.count() }
        var dropped = 0
        for message in batch.messages {
            if await !enqueue(message) { dropped += 1 }
        }
        if dropped > 0 {
            logger.warning(
                "invitations were not sent by SMS, because the queue is full",
                metadata: ["count": "\(dropped)"])
        }
    }

    private func requireRoom(
        _ tx: PostgresTransaction, for count: Int, in group: GroupID
    ) throws {
        guard count > 0 else { return }
        let open = try store.countOpen(tx, group: group)
        guard open.count + count <= rules.openInvitesPerGroup else {
            throw GroupError.inviteLimitReached(retryAfter: open.untilNextExpiry)
        }
    }

    private func insert(
        _ tx: PostgresTransaction, _ number: PhoneNumber, group: GroupID, by sender: UserID
    ) throws -> OpenInvitation {
        // A number has at most a few of 2^30 codes, so a second try is rare.
        for _ in 0..<10 {
            let invitation = OpenInvitation(id: InvitationID(rawValue: .version7()), code: makeCode())
            let isInserted = try store.insert(
                tx, invitation, group: group, phoneNumber: number, invitedBy: sender,
                lifetime: rules.inviteLifetime)
            if isInserted { return invitation }
        }
        throw NoFreeCode()
    }

    func message(
        to number: PhoneNumber, _ invitation: OpenInvitation, _ group: String, from inviter: String?
    ) -> SMSMessage {
        SMSMessage(
            id: .version7(), to: number.rawValue,
            body: InvitationMessage.text(
                inviter: inviter, group: group, link: links.download(for: invitation.code),
                code: invitation.code))
    }
}

/// The number already had all of ten new codes. The generator must be broken.
struct NoFreeCode: Error {}
