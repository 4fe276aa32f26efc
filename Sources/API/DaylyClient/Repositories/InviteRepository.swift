import DaylyAPI
import Foundation

/// Invitations, to others and to the user.
public struct InviteRepository: Sendable {
    /// The numbers of one call of ``check(_:)``.
    static let checkedAtOnce = 50

    let calls: ServiceCalls

    /// Sorts contacts into those who have Dayly and those who need an invitation. It asks in parts of 50 numbers; a user
    /// may ask about 500 a day.
    ///
    /// - Throws: `rate_limited` as a ``DaylyError/problem(_:)`` when the day's numbers are used up.
    public func check(_ phoneNumbers: [String]) async throws(DaylyError) -> ContactCheckResult {
        var all = ContactCheckResult(existing: [], needsInvite: [], invalid: [])
        for start in stride(from: 0, to: phoneNumbers.count, by: Self.checkedAtOnce) {
            let part = phoneNumbers[start..<min(start + Self.checkedAtOnce, phoneNumbers.count)]
            let result: ContactCheckResult = try await calls.get(
                .checkUsers, json: ContactCheckRequest(phoneNumbers: Array(part)))
            all.existing += result.existing
            all.needsInvite += result.needsInvite
            all.invalid += result.invalid
        }
        return all
    }

    /// Invites up to 11 numbers to a group.
    public func send(
        _ phoneNumbers: [String], to group: ResourceID
    ) async throws(DaylyError) -> [Invitation] {
        let sent: InvitesSent = try await calls.get(
            .sendInvites, json: InviteRequest(groupID: group.description, phoneNumbers: phoneNumbers))
        return sent.sent
    }

    /// The open invitations to the user.
    public func received() async throws(DaylyError) -> [ReceivedInvite] {
        let list: ReceivedInviteList = try await calls.get(.listReceivedInvites)
        return list.invites
    }

    /// The open invitations of a group.
    public func open(in group: ResourceID) async throws(DaylyError) -> [GroupInvite] {
        let list: GroupInviteList = try await calls.get(.listGroupInvites, path: [group.description])
        return list.invites
    }

    public func revoke(_ invite: ResourceID) async throws(DaylyError) {
        try await calls.perform(.revokeInvite, path: [invite.description])
    }

    /// Joins a group by its code, or by a text with the code: its link or the whole SMS.
    ///
    /// - Throws: ``DaylyError/groupLimitReached``, or `invite_not_found` and `group_full` as problems.
    public func redeem(_ code: String) async throws(DaylyError) -> InviteRedeemed {
        try await calls.get(.redeemInvite, json: InviteRedemption(code: code))
    }
}
