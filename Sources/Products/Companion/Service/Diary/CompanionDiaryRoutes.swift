import CompanionAPI
import CompanionRules
import DaylyAPI
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird

/// `GET /v1/companion/diary`.
struct CompanionDiaryRoutes: Sendable {
    let service: CompanionDiaryService
    let cursors: CompanionCursors

    var routes: [Route] { [Route(.get, "companion/diary", use: list)] }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionDiary> {
        let user = try context.requireUser()
        let cursor = request.uri.queryParameters.get("cursor")
        let page = try await service.page(of: user, after: try cursor.map { try place($0, for: user) })
        let language = request.diaryLanguage
        return ConditionalJSON(
            CompanionDiary(
                entries: page.entries.map { CompanionEntry($0, in: language) },
                cursor: page.last.map { text(CompanionDiaryStore.Place(at: $0.at, id: $0.id), for: user) }))
    }

    private static let list = "diary"

    private func text(_ place: CompanionDiaryStore.Place, for user: UserID) -> String {
        cursors.text([String(place.at), place.id.uuidString], of: Self.list, for: user)
    }

    private func place(
        _ cursor: String, for user: UserID
    ) throws(CompanionError) -> CompanionDiaryStore.Place {
        let parts = try cursors.parts(of: cursor, Self.list, for: user)
        guard parts.count == 2, let at = Instant(parts[0]), let id = UUID(uuidString: parts[1]) else {
            throw .cursorExpired
        }
        return CompanionDiaryStore.Place(at: at, id: id)
    }
}

extension CompanionEntry {
    init(_ entry: CompanionEntryState, in language: DiaryLanguage) {
        self.init(
            id: ResourceID(entry.id), day: isoText(day: entry.day), at: Date(instant: entry.at),
            kind: entry.kind.name, pool: entry.pool, band: entry.kind.band?.rawValue, hp: entry.hp,
            number: entry.number, text: entry.text.text(in: language))
    }
}
