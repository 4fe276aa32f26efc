import CompanionAPI
import CompanionRules
import DaylyAPI
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird

/// `/v1/companion/memorials`.
struct CompanionMemorialRoutes: Sendable {
    private static let listName = "memorials"

    let service: CompanionMemorialService
    let cursors: CompanionCursors

    var routes: [Route] {
        [
            Route(.get, "companion/memorials", use: list),
            Route(.delete, "companion/memorials/:id", use: delete),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionMemorialPage> {
        let user = try context.requireUser()
        let last = try request.uri.queryParameters["cursor"].map { try place(String($0), for: user) }
        let page = try await service.page(of: user, before: last)
        let next = page.last.map { last in
            cursors.text(
                [String(last.createdAt), last.id.rawValue.uuidString], of: Self.listName, for: user)
        }
        return ConditionalJSON(
            CompanionMemorialPage(memorials: page.entries.map(CompanionMemorial.init), cursor: next))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.delete(context.requireID("id"), of: user)
        return .noContent
    }

    private func place(_ cursor: String, for user: UserID) throws(CompanionError) -> CompanionMemorialPlace {
        let parts = try cursors.parts(of: cursor, Self.listName, for: user)
        guard parts.count == 2, let at = Instant(parts[0]), let id = UUID(uuidString: parts[1]) else {
            throw .cursorExpired
        }
        return CompanionMemorialPlace(createdAt: at, id: CompanionPetID(id))
    }
}

extension CompanionMemorial {
    init(_ memorial: CompanionMemorialState) {
        self.init(
            id: memorial.id.resourceID, name: memorial.name, species: memorial.species,
            stage: PetStage(growth: memorial.growth).rawValue, bornOn: isoText(day: memorial.bornOn),
            diedOn: isoText(day: memorial.diedOn),
            days: daysLived(bornOn: memorial.bornOn, diedOn: memorial.diedOn), outfit: memorial.outfit)
    }
}
