import DaylyAPI
import Foundation

/// Invitations, to others and to the user.
public struct InviteRepository: Sendable {
    let calls: ServiceCalls

    /// Sorts contacts into those who have Dayly and those who need an invitation.
    ///
    /// When it fails, the answers that came before are lost, although they count. For an address book take
    /// ``checkInParts(_:)``.
    ///
    /// - Throws: `rate_limited` as a ``DaylyError/problem(_:)`` when the day's numbers are used up.
    public func check(_ phoneNumbers: [String]) async throws(DaylyError) -> ContactCheckResult {
        var all = ContactCheckResult(existing: [], needsInvite: [], invalid: [])
        var parts = checkInParts(phoneNumbers).makeAsyncIterator()
        while let part = try await parts.next() {
            all.existing += part.existing
            all.needsInvite += part.needsInvite
            all.invalid += part.invalid
        }
        return all
    }

    /// The same, and each part as it comes. A user may ask about some 500 numbers a day: what was answered before a
    /// `rate_limited` is kept by the loop, and what was not asked about may be asked about later.
    public func checkInParts(_ phoneNumbers: [String]) -> ContactCheckParts {
        ContactCheckParts(calls: calls, phoneNumbers: phoneNumbers)
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

/// The answers about many contacts, 50 numbers each, in the order of the numbers:
///
///     for try await part in dayly.invites.checkInParts(numbers) { … }
///
/// A part is asked for when the loop wants it. The loop throws a ``DaylyError``.
public struct ContactCheckParts: AsyncSequence, Sendable {
    public typealias Element = ContactCheckResult

    let calls: ServiceCalls
    let phoneNumbers: [String]

    public func makeAsyncIterator() -> Iterator { Iterator(calls: calls, rest: phoneNumbers[...]) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let calls: ServiceCalls
        var rest: ArraySlice<String>

        public mutating func next() async throws(DaylyError) -> ContactCheckResult? {
            let part = Array(rest.prefix(50))
            guard !part.isEmpty else { return nil }
            let result: ContactCheckResult = try await calls.get(
                .checkUsers, json: ContactCheckRequest(phoneNumbers: part))
            rest = rest.dropFirst(part.count)
            return result
        }
    }
}
