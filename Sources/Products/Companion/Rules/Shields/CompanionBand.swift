/// The hp of a day with this many accepted bypasses.
package func dayHP(bypasses: Int) -> Int {
    max(0, 100 - 5 * bypasses)
}

/// A band of hp, named by its greatest value. The raw values are those of the API.
package enum HealthBand: Int, CaseIterable, Comparable, Sendable {
    case zero = 0
    case ten = 10
    case twenty = 20
    case forty = 40
    case sixty = 60
    case eighty = 80
    case hundred = 100

    /// The smallest band that is at least `hp`.
    package init(hp: Int) {
        self = Self.allCases.first { $0.rawValue >= hp } ?? .hundred
    }

    package var state: CatState {
        switch self {
        case .hundred, .eighty: .healthy
        case .sixty: .concerned
        case .forty: .tired
        case .twenty, .ten: .weak
        case .zero: .dead
        }
    }

    /// nil: the cat is silent.
    package var tone: CatTone? {
        switch self {
        case .hundred: nil
        case .eighty: .playful
        case .sixty: .concerned
        case .forty: .strained
        case .twenty, .ten: .faint
        case .zero: .dead
        }
    }

    package var colour: CatColour {
        switch self {
        case .hundred, .eighty: .green
        case .sixty, .forty: .orange
        case .twenty, .ten, .zero: .red
        }
    }

    /// The number of bands below 100 that the day has reached on its way here.
    package var drops: Int {
        Self.allCases.count { $0 >= self && $0 < .hundred }
    }

    package static func < (left: HealthBand, right: HealthBand) -> Bool {
        left.rawValue < right.rawValue
    }
}

package enum CatState: String, Sendable {
    case healthy, concerned, tired, weak, dead
}

package enum CatTone: String, Sendable {
    case playful, concerned, strained, faint, dead
}

package enum CatColour: String, Sendable {
    case green, orange, red
}
