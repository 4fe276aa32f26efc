import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `GET /v1/companion/texts`: phones keep the templates, because the day works without a connection.
struct CompanionTextRoutes: Sendable {
    var routes: [Route] { [Route(.get, "companion/texts", use: texts)] }

    private func texts(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionTextPools> {
        _ = try context.requireUser()
        return ConditionalJSON(CompanionTextPools(in: request.diaryLanguage))
    }
}

extension CompanionTextPools {
    init(in language: DiaryLanguage) {
        let pools = DiaryPool.allCases.map { pool in
            (pool.rawValue, CompanionTexts.diary(pool, in: language).map(\.text))
        }
        self.init(version: CompanionTexts.version, pools: Dictionary(uniqueKeysWithValues: pools))
    }
}

extension Request {
    /// The language of the diary that suits `Accept-Language` best (RFC 9110, 12.5.4); English if none does.
    var diaryLanguage: DiaryLanguage {
        DiaryLanguage(accepting: headers[values: .acceptLanguage].joined(separator: ","))
    }
}
