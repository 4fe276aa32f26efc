import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import HTTPKit
import HTTPTypes
import Testing

@testable import Companion

@Suite("The survey and the texts of Companion")
struct CompanionSurveyTests {
    private static func body(_ numbers: [Int], _ age: String) -> String {
        """
        {"use": \(numbers[0]), "dependence": \(numbers[1]), "sleep": \(numbers[2]), "without_phone": \(numbers[3]),
        "idle": \(numbers[4]), "age": "\(age)"}
        """
    }

    @Test(
        "scores, for anybody who is signed in",
        arguments: [
            ([2, 2, 2, 2, 2], "25_34", 63, "high", 10.4), ([0, 0, 0, 0, 0], "55_plus", 0, "low", 0.8),
            ([0, 1, 1, 1, 1], "18_24", 25, "mild", 2.5),
            ([4, 3, 3, 3, 3], "under_18", 100, "very_high", 24.0),
        ])
    func scores(numbers: [Int], age: String, score: Int, level: String, years: Double) async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.person()
            let answer = try await world.call(.post, "survey", as: ada, Self.body(numbers, age))
            #expect(answer.status == 200)
            #expect(
                try answer.decode(CompanionSurveyResult.self)
                    == CompanionSurveyResult(score: score, level: level, years: years))
        }
    }

    @Test("a number out of bounds or an unknown age is 400")
    func invalid() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.person()
            let names = ["use", "dependence", "sleep", "without_phone", "idle"]
            for place in names.indices {
                for number in [-1, place == 0 ? 5 : 4] {
                    var numbers = [1, 1, 1, 1, 1]
                    numbers[place] = number
                    let answer = try await world.call(.post, "survey", as: ada, Self.body(numbers, "18_24"))
                    #expect(answer.status == 400 && answer.pointer == "/\(names[place])")
                }
            }
            let age = try await world.call(.post, "survey", as: ada, Self.body([1, 1, 1, 1, 1], "17"))
            #expect(age.status == 400 && age.pointer == "/age")
        }
    }

    @Test("all templates, in the language of the request, with an ETag of each")
    func texts() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.person()
            let english = try await world.call(.get, "texts", as: ada)
            let german = try await world.call(
                .get, "texts", as: ada, headers: [.acceptLanguage: "fr, de;q=0.8, en;q=0.7"])
            let pools = try english.decode(CompanionTextPools.self)
            #expect(pools.version == CompanionTexts.version)
            #expect(pools.pools.mapValues(\.count).values.reduce(0, +) == 280)
            #expect(pools.pools["band.0"]?.count == 20 && pools.pools["terminal"]?.count == 40)
            #expect(try german.decode(CompanionTextPools.self) != pools)
            let tag = try #require(english.header("ETag"))
            #expect(german.header("ETag") != tag)
            let known = try await world.call(.get, "texts", as: ada, headers: [.ifNoneMatch: tag])
            #expect(known.status == 304)
        }
    }

    @Test(
        "the language of Accept-Language",
        arguments: [
            ("", "en"), ("de", "de"), ("de-AT,en;q=0.9", "de"), ("en;q=0.1, DE;q=0.2", "de"),
            ("fr", "en"), ("*, de;q=0.5", "en"), ("de;q=0", "en"), ("de;q=x, en", "en"), ("en, de", "en"),
        ])
    func language(field: String, language: String) {
        #expect(DiaryLanguage(accepting: field).rawValue == language)
    }
}
