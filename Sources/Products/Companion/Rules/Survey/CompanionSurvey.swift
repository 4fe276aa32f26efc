/// The answers to the survey. They are never kept.
package struct SurveyAnswers: Hashable, Sendable {
    /// From 0 to 4: under 2, 2-4, 4-6, 6-8 and over 8 hours a day.
    package let use: Int
    /// From 0 to 3, as the next three.
    package let dependence: Int
    package let sleep: Int
    package let withoutPhone: Int
    package let idle: Int
    package let age: SurveyAge

    /// nil if a number is out of bounds.
    package init?(use: Int, dependence: Int, sleep: Int, withoutPhone: Int, idle: Int, age: SurveyAge) {
        guard (0...4).contains(use),
            [dependence, sleep, withoutPhone, idle].allSatisfy({ (0...3).contains($0) })
        else { return nil }
        self.use = use
        self.dependence = dependence
        self.sleep = sleep
        self.withoutPhone = withoutPhone
        self.idle = idle
        self.age = age
    }

    /// From 0 to 100.
    package var score: Int { (100 * (use + dependence + sleep + withoutPhone + idle) + 8) / 16 }

    package var level: SurveyLevel {
        switch score {
        case ..<25: .low
        case ..<50: .mild
        case ..<75: .high
        default: .veryHigh
        }
    }

    /// The years until the age of 80 that go to the phone, in tenths.
    package var tenthsOfYears: Int {
        let hours = 2 * use + 1
        return (10 * hours * (80 - age.years) + 12) / 24
    }

    package var years: Double { Double(tenthsOfYears) / 10 }
}

/// The raw values are those of the API.
package enum SurveyLevel: String, Sendable {
    case low, mild, high
    case veryHigh = "very_high"
}

/// The raw values are those of the API.
package enum SurveyAge: String, CaseIterable, Sendable {
    case under18 = "under_18"
    case from18 = "18_24"
    case from25 = "25_34"
    case from35 = "35_44"
    case from45 = "45_54"
    case from55 = "55_plus"

    /// The age that stands for the group.
    package var years: Int {
        switch self {
        case .under18: 16
        case .from18: 21
        case .from25: 30
        case .from35: 40
        case .from45: 50
        case .from55: 60
        }
    }
}
