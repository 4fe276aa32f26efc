/// `POST /v1/companion/survey`: the answers of the first screens. The service keeps none of them.
public struct CompanionSurvey: Codable, Sendable {
    /// From 0 to 4: under 2, 2-4, 4-6, 6-8 or over 8 hours a day.
    public var use: Int
    /// From 0 to 3, as the next three.
    public var dependence: Int
    public var sleep: Int
    public var withoutPhone: Int
    public var idle: Int
    /// `under_18`, `18_24`, `25_34`, `35_44`, `45_54` or `55_plus`.
    public var age: String

    public init(use: Int, dependence: Int, sleep: Int, withoutPhone: Int, idle: Int, age: String) {
        self.use = use
        self.dependence = dependence
        self.sleep = sleep
        self.withoutPhone = withoutPhone
        self.idle = idle
        self.age = age
    }

    enum CodingKeys: String, CodingKey {
        case use
        case dependence
        case sleep
        case withoutPhone = "without_phone"
        case idle
        case age
    }
}

public struct CompanionSurveyResult: Codable, Sendable, Equatable {
    /// From 0 to 100.
    public var score: Int
    /// `low`, `mild`, `high` or `very_high`.
    public var level: String
    /// The years until the age of 80 that go to the phone, with one decimal.
    public var years: Double

    public init(score: Int, level: String, years: Double) {
        self.score = score
        self.level = level
        self.years = years
    }
}
