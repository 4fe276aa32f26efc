import Auth
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/groups`.
struct GroupRoutes: Sendable {
    let service: GroupService
    let phoneNumbers: PhoneNumberParser

    var routes: [Route] {
        [
            Route(.get, "groups", .reads, use: list),
            Route(.post, "groups", use: create),
            Route(.get, "groups/:id", .reads, use: get),
            Route(.put, "groups/:id", use: rename),
            Route(.delete, "groups/:id", .erases, use: leave),
            Route(.delete, "groups/:id/members/:user_id", .erases, use: remove),
            Route(.put, "groups/:id/mute", use: mute),
        ]
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> ValidatedJSON<GroupList> {
        let caller = try context.requireCaller()
        let summaries = try await service.views.summaries(for: caller)
        return try await ValidatedJSON(request, tag: EntityTag(groups: summaries)) {
            let views = try await service.views.views(of: summaries, for: caller)
            return (GroupList(groups: views.map(PhotoGroup.init)), EntityTag(groups: views.map(\.summary)))
        }
    }

    private func create(_ request: Request, _ context: AppContext) async throws -> Reply<GroupCreated> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(GroupCreation.self, context: context)
        let name = try DisplayName(body.name, pointer: "/name")
        let numbers = try phoneNumbers.numbers(
            body.memberPhoneNumbers, pointer: "/member_phone_numbers", limit: service.rules.numbersPerCall)
        let created = try await service.create(name: name.rawValue, inviting: numbers, by: caller)
        let invitations = created.invitations.map { Invitation($0, links: service.invitations.links) }
        return Reply(
            status: .created, GroupCreated(group: PhotoGroup(created.group), invitations: invitations))
    }

    private func get(_ request: Request, _ context: AppContext) async throws -> ValidatedJSON<PhotoGroup> {
        let (caller, group) = (try context.requireCaller(), try context.requireID("id", as: GroupID.self))
        let summaries = try await service.views.summaries(for: caller, only: group)
        return try await ValidatedJSON(request, tag: EntityTag(group: summaries)) {
            let views = try await service.views.views(of: summaries, for: caller, only: group)
            guard let view = views.first else { throw GroupError.notFound }
            return (PhotoGroup(view), EntityTag(group: [view.summary]))
        }
    }

    private func rename(_ request: Request, _ context: AppContext) async throws -> Reply<PhotoGroup> {
        let caller = try context.requireUser()
        let group = try context.requireID("id", as: GroupID.self)
        let body = try await request.decodeJSON(GroupRename.self, context: context)
        let name = try DisplayName(body.name, pointer: "/name")
        return Reply(PhotoGroup(try await service.rename(group, to: name.rawValue, by: caller)))
    }

    private func leave(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.leave(context.requireID("id"), by: caller)
        return .noContent
    }

    private func remove(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        let group = try context.requireID("id", as: GroupID.self)
        try await service.remove(context.requireID("user_id"), from: group, by: caller)
        return .noContent
    }

    private func mute(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
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
    /// The first part is the version of the JSON form of groups. Increase it when the form changes.
    fileprivate init(groups: [GroupSummary]) { self.init("groups 1", groups) }

    fileprivate init(group: [GroupSummary]) { self.init("group 1", group) }

    private init(_ form: String, _ groups: [GroupSummary]) {
        self.init { tag in
            tag.append(form)
            for group in groups { group.version.write(to: &tag) }
        }
    }
}

extension PhotoGroup {
    init(_ view: GroupView) {
        self.init(
            id: view.id.resourceID, name: view.name, createdAt: view.summary.createdAt,
            members: view.members.map {
                Member(id: $0.id.resourceID, firstName: $0.firstName, joinedAt: $0.joinedAt)
            },
            memberCount: view.members.count, hasSentToday: view.hasSentToday, nextSendAt: view.nextSendAt,
            lastPhotoAt: view.lastPhotoAt, muted: view.isMuted)
    }
}

extension GroupError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .notFound:
            .notFound
        case .groupLimitReached:
            Problem(
                .conflict, .groupLimitReached,
                "You are already in as many groups as possible. Leave one first.")
        case .groupFull:
            Problem(.conflict, .groupFull, "This group is full.")
        case .removalLimitReached(let retryAfter):
            Problem(
                .tooManyRequests, .removalLimitReached,
                "You cannot remove more members today. You can still leave a group yourself.",
                retryAfter: retryAfter)
        case .inviteLimitReached(let retryAfter):
            Problem(
                .tooManyRequests, .inviteLimitReached, "You cannot send more invitations for now.",
                retryAfter: retryAfter)
        case .inviteNotFound:
            Problem(.notFound, .inviteNotFound, "You have no open invitation with this code.")
        case .codeMisread:
            Problem(
                .notFound, .inviteNotFound,
                "A code has no 0, O, 1 or I. Please look at it again: it may be a Q, D, L or J.")
        case .codeForeign:
            Problem(
                .notFound, .inviteNotFound,
                "A code has the letters A to Z. Please type it with a Latin keyboard.")
        case .tooManyWrongCodes(let retryAfter), .creationLimitReached(let retryAfter):
            .rateLimited(retryAfter: retryAfter)
        case .nobodyToInvite:
            .invalidRequest(
                pointer: "/member_phone_numbers", detail: "must have at least one number that is not your own"
            )
        case .tooManyMembers(let limit):
            .tooManyNumbers(pointer: "/member_phone_numbers", limit: limit)
        case .cannotBlockOneself:
            .invalidRequest("You cannot block yourself.")
        case .muteEndsInPast:
            .invalidRequest(pointer: "/until", detail: "must be in the future")
        case .tooManyNumbers(let limit):
            .tooManyNumbers(pointer: "/phone_numbers", limit: limit)
        }
    }
}
