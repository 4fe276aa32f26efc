import FeatureKit
import Auth
import DaylyAPI
import HTTPKit
import Hummingbird

/// `/v1/groups`: to be added behind the authenticator.
package struct GroupRoutes: Sendable {
    let service: GroupService
    let phoneNumbers: PhoneNumberParser

    package init(service: GroupService, phoneNumbers: PhoneNumberParser) {
        self.service = service
        self.phoneNumbers = phoneNumbers
    }

    package func addRoutes(to group: RouterGroup<AppContext>) {
        group.get("groups", use: list)
        group.post("groups", use: create)
        group.get("groups/:id", use: get)
        group.put("groups/:id", use: rename)
        group.delete("groups/:id", use: leave)
        group.delete("groups/:id/members/:user_id", use: remove)
        group.put("groups/:id/mute", use: mute)
    }

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> ValidatedJSON<GroupList> {
        let caller = try context.requireUser()
        return try await ValidatedJSON(request) {
            EntityTag(groups: try await service.groups.versions(for: caller))
        } full: {
            let views = try await service.groups.views(for: caller)
            return (GroupList(groups: views.map(Group.init)), EntityTag(groups: views.map(\.version)))
        }
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Reply<GroupCreated> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(GroupCreation.self, context: context)
        let name = try DisplayName(body.name, pointer: "/name")
        let numbers = try phoneNumbers.numbers(body.memberPhoneNumbers, pointer: "/member_phone_numbers")
        let created = try await service.create(name: name.rawValue, inviting: numbers, by: caller)
        let invitations = created.invitations.map { Invitation($0, links: service.invites.links) }
        return Reply(
            status: .created, GroupCreated(group: Group(created.group), invitations: invitations))
    }

    @Sendable func get(_ request: Request, _ context: AppContext) async throws -> ValidatedJSON<Group> {
        let (caller, group) = (try context.requireUser(), try context.requireID("id", as: GroupID.self))
        return try await ValidatedJSON(request) {
            EntityTag(group: try await service.groups.versions(for: caller, only: group))
        } full: {
            let view = try await service.groups.requireView(of: group, for: caller)
            return (Group(view), EntityTag(group: [view.version]))
        }
    }

    @Sendable func rename(_ request: Request, _ context: AppContext) async throws -> Reply<Group> {
        let caller = try context.requireUser()
        let group = try context.requireID("id", as: GroupID.self)
        let body = try await request.decodeJSON(GroupRename.self, context: context)
        let name = try DisplayName(body.name, pointer: "/name")
        return Reply(Group(try await service.rename(group, to: name.rawValue, by: caller)))
    }

    @Sendable func leave(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.leave(context.requireID("id"), by: caller)
        return .noContent
    }

    @Sendable func remove(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        let group = try context.requireID("id", as: GroupID.self)
        try await service.remove(context.requireID("user_id"), from: group, by: caller)
        return .noContent
    }

    @Sendable func mute(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        let group = try context.requireID("id", as: GroupID.self)
        let body = try await request.decodeJSON(GroupMute.self, context: context)
        if body.muted {
            try await service.groups.mute(group, until: body.until, by: caller)
        } else {
            try await service.groups.unmute(group, by: caller)
        }
        return .noContent
    }
}

extension EntityTag {
    /// The first part is the form that groups are written in: to be counted up with it.
    fileprivate init(groups versions: [GroupVersion]) {
        self.init(hashing: ["groups 1"] + versions.flatMap(\.parts))
    }

    fileprivate init(group versions: [GroupVersion]) {
        self.init(hashing: ["group 1"] + versions.flatMap(\.parts))
    }
}

extension Group {
    init(_ view: GroupView) {
        self.init(
            id: ResourceID(view.id.rawValue), name: view.name, createdAt: view.createdAt,
            members: view.members.map {
                Member(id: ResourceID($0.id.rawValue), firstName: $0.firstName, joinedAt: $0.joinedAt)
            },
            hasSentToday: view.hasSentToday, nextSendAt: view.nextSendAt, lastPhotoAt: view.lastPhotoAt,
            muted: view.isMuted)
    }
}

extension GroupError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .notFound:
            .notFound
        case .groupLimitReached:
            Problem(.conflict, .groupLimitReached, "You are in as many groups as anybody may be.")
        case .groupFull:
            Problem(.conflict, .groupFull, "The group has no seat left.")
        case .removalLimitReached(let retryAfter):
            Problem(
                .tooManyRequests, .removalLimitReached,
                "You removed as many members as one may in a day. You can still leave a group yourself.",
                retryAfter: retryAfter)
        case .inviteLimitReached(let retryAfter):
            Problem(
                .tooManyRequests, .inviteLimitReached, "No more invitations can be sent for now.",
                retryAfter: retryAfter)
        case .inviteNotFound:
            Problem(.notFound, .inviteNotFound, "No open invitation of yours has this code.")
        case .tooManyWrongCodes(let retryAfter), .creationLimitReached(let retryAfter):
            .rateLimited(retryAfter: retryAfter)
        case .nobodyToInvite:
            .invalidRequest(
                pointer: "/member_phone_numbers", detail: "Name at least one number that is not your own.")
        case .tooManyMembers(let limit):
            .invalidRequest(
                pointer: "/member_phone_numbers", detail: "Name at most \(limit) different numbers.")
        case .cannotBlockOneself:
            .invalidRequest("Nobody can block themselves.")
        case .muteEndsInPast:
            .invalidRequest(pointer: "/until", detail: "must lie ahead")
        case .tooManyNumbers(let limit):
            .invalidRequest(pointer: "/phone_numbers", detail: "Name at most \(limit) different numbers.")
        }
    }
}
