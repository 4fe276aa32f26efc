import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `POST /v1/companion/survey`. It computes its answer from the call alone, and nothing of it is kept.
struct CompanionSurveyRoutes: Sendable {
    var routes: [Route] { [Route(.post, "companion/survey", use: score)] }

    private func score(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionSurveyResult>
    {
        _ = try context.requireUser()
        let answers = try SurveyAnswers(
            checking: try await request.decodeJSON(CompanionSurvey.self, context: context))
        return Reply(
            CompanionSurveyResult(
                score: answers.score, level: answers.level.rawValue, years: answers.years))
    }
}

extension SurveyAnswers {
    /// - Throws: 400 that points at the faulty member.
    init(checking body: CompanionSurvey) throws(Problem) {
        try Self.check(body.use, upTo: 4, "/use")
        try Self.check(body.dependence, upTo: 3, "/dependence")
        try Self.check(body.sleep, upTo: 3, "/sleep")
        try Self.check(body.withoutPhone, upTo: 3, "/without_phone")
        try Self.check(body.idle, upTo: 3, "/idle")
        guard let age = SurveyAge(rawValue: body.age),
            let answers = SurveyAnswers(
                use: body.use, dependence: body.dependence, sleep: body.sleep,
                withoutPhone: body.withoutPhone, idle: body.idle, age: age)
        else {
            throw .invalidRequest(
                pointer: "/age", detail: "must be under_18, 18_24, 25_34, 35_44, 45_54 or 55_plus")
        }
        self = answers
    }

    private static func check(_ number: Int, upTo greatest: Int, _ pointer: String) throws(Problem) {
        guard (0...greatest).contains(number) else {
            throw .invalidRequest(pointer: pointer, detail: "must be 0 to \(greatest)")
        }
    }
}
