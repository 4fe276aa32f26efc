import FeatureKit
import Auth
import DaylyAPI
import Foundation
import HTTPKit
import Hummingbird

/// `/v1/invites` and a group's invitations: to be added behind the authenticator.
package struct InvitationRoutes: Sendable {
    let service: InvitationService
    let phoneNumbers: PhoneNumberParser

    package init(service: InvitationService, phoneNumbers: PhoneNumberParser) {
        self.service = service
        self.phoneNumbers = phoneNumbers
    }

    package func addRoutes(to group: RouterGroup<AppContext>) {
        group.get("invites", use: list)
        group.post("invites/send", use: send)
        group.post("invites/redeem", use: redeem)
        group.delete("invites/:id", use: revoke)
        group.post("invites/check-users", use: checkUsers)
        group.get("groups/:id/invites", use: listOfGroup)
    }

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Reply<ReceivedInviteList> {
        let invites = try await service.received(by: context.requireUser())
        return Reply(ReceivedInviteList(invites: invites.map(ReceivedInvite.init)))
    }

    @Sendable func listOfGroup(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<GroupInviteList> {
        let caller = try context.requireUser()
        let invites = try await service.store.open(of: context.requireID("id"), for: caller)
        return Reply(GroupInviteList(invites: invites.map { GroupInvite($0, links: service.links) }))
    }

    @Sendable func send(_ request: Request, _ context: AppContext) async throws -> Reply<InvitesSent> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(InviteRequest.self, context: context)
        guard !body.phoneNumbers.isEmpty else {
            throw Problem.invalidRequest(pointer: "/phone_numbers", detail: "Name at least one phone number.")
        }
        guard let group = UUID(uuidString: body.groupID).map(GroupID.init(_:)) else {
            throw GroupError.notFound
        }
        let numbers = try phoneNumbers.numbers(body.phoneNumbers, pointer: "/phone_numbers")
        let results = try await service.send(to: numbers, group: group, by: caller)
        return Reply(InvitesSent(sent: results.map { Invitation($0, links: service.links) }))
    }

    @Sendable func checkUsers(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<ContactCheckResult> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(ContactCheckRequest.self, context: context)
        let check = try await service.check(
            AskedNumbers(body.phoneNumbers, by: phoneNumbers), by: caller)
        return Reply(
            ContactCheckResult(
                existing: check.existing, needsInvite: check.needsInvite, invalid: check.invalid))
    }

    @Sendable func redeem(_ request: Request, _ context: AppContext) async throws -> Reply<InviteRedeemed> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(InviteRedemption.self, context: context)
        guard body.code.unicodeScalars.count <= InvitationCode.maxTypedLength else {
            throw Problem.invalidRequest(pointer: "/code", detail: "A code is at most 64 characters long.")
        }
        let group = try await service.redeem(body.code, by: caller, from: context.clientAddress?.block)
        return Reply(InviteRedeemed(groupID: ResourceID(group.id.rawValue), groupName: group.name))
    }

    @Sendable func revoke(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.store.revoke(context.requireID("id"), by: caller)
        return .noContent
    }
}

extension Invitation {
    init(_ result: InvitationResult, links: InvitationLinks) {
        let invite = result.invite
        self.init(
            phoneNumber: result.phoneNumber.rawValue,
            outcome: invite == nil ? .alreadyMember : .invited,
            inviteID: invite.map { ResourceID($0.id.rawValue) },
            code: invite?.code.rawValue,
            url: invite.map { links.page(for: $0.code) })
    }
}

extension ReceivedInvite {
    init(_ invite: OwnInvitation) {
        self.init(
            id: ResourceID(invite.id.rawValue), code: invite.code.rawValue,
            groupID: ResourceID(invite.group.rawValue), groupName: invite.groupName,
            invitedBy: invite.invitedBy, expiresAt: invite.expiresAt)
    }
}

extension GroupInvite {
    init(_ invite: GroupInvitation, links: InvitationLinks) {
        self.init(
            id: ResourceID(invite.id.rawValue), phoneNumber: invite.phoneNumber, code: invite.code.rawValue,
            url: links.page(for: invite.code), invitedBy: invite.invitedBy, createdAt: invite.createdAt,
            expiresAt: invite.expiresAt)
    }
}
