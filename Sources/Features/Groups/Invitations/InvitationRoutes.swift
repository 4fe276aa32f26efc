import Auth
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird

/// `/v1/invites` and the invitations of a group.
struct InvitationRoutes: Sendable {
    let service: InvitationService
    let phoneNumbers: PhoneNumberParser

    var routes: [Route] {
        [
            Route(.get, "invites", use: list),
            Route(.post, "invites/send", use: send),
            Route(.post, "invites/redeem", use: redeem),
            Route(.delete, "invites/:id", .erases, use: revoke),
            Route(.post, "invites/check-users", use: checkUsers),
            Route(.get, "groups/:id/invites", use: listOfGroup),
        ]
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Reply<ReceivedInviteList> {
        let invitations = try await service.received(by: context.requireUser())
        return Reply(ReceivedInviteList(invites: invitations.map(ReceivedInvite.init)))
    }

    private func listOfGroup(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<GroupInviteList> {
        let caller = try context.requireUser()
        let invitations = try await service.store.open(of: context.requireID("id"), for: caller)
        return Reply(GroupInviteList(invites: invitations.map { GroupInvite($0, links: service.links) }))
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Reply<InvitesSent> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(InviteRequest.self, context: context)
        guard !body.phoneNumbers.isEmpty else {
            throw Problem.invalidRequest(
                pointer: "/phone_numbers", detail: "must have at least one phone number")
        }
        guard let group = UUID(uuidString: body.groupID).map(GroupID.init(_:)) else {
            throw GroupError.notFound
        }
        let numbers = try phoneNumbers.numbers(
            body.phoneNumbers, pointer: "/phone_numbers", limit: service.rules.numbersPerCall)
        let results = try await service.send(to: numbers, group: group, by: caller)
        return Reply(InvitesSent(sent: results.map { Invitation($0, links: service.links) }))
    }

    private func checkUsers(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<ContactCheckResult> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(ContactCheckRequest.self, context: context)
        let check = try await service.check(
            AskedNumbers(body.phoneNumbers, by: phoneNumbers, limit: service.rules.numbersPerCheck),
            by: caller)
        return Reply(
            ContactCheckResult(
                existing: check.existing, needsInvite: check.needsInvite, invalid: check.invalid))
    }

    private func redeem(_ request: Request, _ context: AppContext) async throws -> Reply<InviteRedeemed> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(InviteRedemption.self, context: context)
        guard body.code.unicodeScalars.count <= InvitationCode.maxTypedLength else {
            throw Problem.invalidRequest(pointer: "/code", detail: "must have at most 1,000 characters")
        }
        let group = try await service.redeem(body.code, by: caller, from: context.clientAddress?.block)
        return Reply(InviteRedeemed(groupID: group.id.resourceID, groupName: group.name))
    }

    private func revoke(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.store.revoke(context.requireID("id"), by: caller)
        return .noContent
    }
}

extension Invitation {
    init(_ result: InvitationResult, links: InvitationLinks) {
        let invitation = result.invitation
        self.init(
            phoneNumber: result.phoneNumber.rawValue,
            outcome: invitation == nil ? .alreadyMember : .invited,
            inviteID: invitation.map { $0.id.resourceID },
            code: invitation?.code.rawValue,
            url: invitation.map { links.page(for: $0.code) })
    }
}

extension ReceivedInvite {
    fileprivate init(_ invitation: OwnInvitation) {
        self.init(
            id: invitation.id.resourceID, code: invitation.code.rawValue,
            groupID: invitation.group.resourceID, groupName: invitation.groupName,
            invitedBy: invitation.invitedBy, expiresAt: invitation.expiresAt)
    }
}

extension GroupInvite {
    fileprivate init(_ invitation: GroupInvitation, links: InvitationLinks) {
        self.init(
            id: invitation.id.resourceID, phoneNumber: invitation.phoneNumber, code: invitation.code.rawValue,
            url: links.page(for: invitation.code), invitedBy: invitation.invitedBy,
            createdAt: invitation.createdAt, expiresAt: invitation.expiresAt)
    }
}
