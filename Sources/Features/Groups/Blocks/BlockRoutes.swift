import FeatureKit
import Auth
import DaylyAPI
import HTTPKit
import Hummingbird

/// `/v1/users/{id}/block` and the list of those whom the caller blocks: to be added behind the authenticator.
package struct BlockRoutes: Sendable {
    let service: BlockService

    package init(service: BlockService) {
        self.service = service
    }

    package func addRoutes(to group: RouterGroup<AppContext>) {
        group.get("users/me/blocks", use: list)
        group.post("users/:id/block", use: block)
        group.delete("users/:id/block", use: unblock)
    }

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Reply<BlockList> {
        let people = try await service.blocks.list(by: context.requireUser())
        return Reply(BlockList(blocks: people.map(BlockedUser.init)))
    }

    @Sendable func block(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.block(context.requireID("id"), by: caller)
        return .noContent
    }

    @Sendable func unblock(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.unblock(context.requireID("id"), by: caller)
        return .noContent
    }
}

extension BlockedUser {
    init(_ person: BlockedPerson) {
        self.init(id: person.id.resourceID, firstName: person.firstName, blockedAt: person.blockedAt)
    }
}
