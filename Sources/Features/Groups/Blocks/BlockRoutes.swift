import Auth
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/users/{id}/block` and the list of the people whom the caller blocks.
struct BlockRoutes: Sendable {
    let service: BlockService

    var routes: [Route] {
        [
            Route(.get, "users/me/blocks", use: list),
            Route(.post, "users/:id/block", .erases, use: block),
            Route(.delete, "users/:id/block", .erases, use: unblock),
        ]
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Reply<BlockList> {
        let people = try await service.blocks.list(by: context.requireUser())
        return Reply(BlockList(blocks: people.map(BlockedUser.init)))
    }

    private func block(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.block(context.requireID("id"), by: caller)
        return .noContent
    }

    private func unblock(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = try context.requireUser()
        try await service.unblock(context.requireID("id"), by: caller)
        return .noContent
    }
}

extension BlockedUser {
    fileprivate init(_ person: BlockedPerson) {
        self.init(id: person.id.resourceID, firstName: person.firstName, blockedAt: person.blockedAt)
    }
}
