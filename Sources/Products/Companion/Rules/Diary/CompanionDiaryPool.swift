/// A set of texts for the diary. The raw values are those of the API.
package enum DiaryPool: String, CaseIterable, Sendable {
    case welcome
    case band80 = "band.80"
    case band60 = "band.60"
    case band40 = "band.40"
    case band20 = "band.20"
    case band10 = "band.10"
    case band0 = "band.0"
    case terminal, plain, good, mixed
}

/// An occasion on which the diary gets a text, once a day for each.
package enum DiaryKind: Hashable, Sendable {
    case welcome
    /// The band has fallen to this one; never to 100.
    case band(HealthBand)
    /// The day's summary, when its hp reach 0.
    case terminal
    /// The day's summary otherwise.
    case nightly

    /// The word in a ``DeviceIntake/Draw`` of texts.
    package var drawWord: String {
        switch self {
        case .welcome: "welcome"
        case .band(let band): "band.\(band.rawValue)"
        case .terminal: "terminal"
        case .nightly: "nightly"
        }
    }

    /// The kind with this ``drawWord``.
    package init?(drawWord: String) {
        let all: [DiaryKind] = [.welcome, .terminal, .nightly] + HealthBand.allCases.map { .band($0) }
        guard let kind = all.first(where: { $0.drawWord == drawWord }), kind != .band(.hundred) else {
            return nil
        }
        self = kind
    }

    /// `kind` of the API.
    package var name: String {
        if case .band = self { return "band" }
        return drawWord
    }

    /// `band` of the API.
    package var band: HealthBand? {
        switch self {
        case .band(let band): band
        case .terminal: .zero
        case .welcome, .nightly: nil
        }
    }

    package var isSummary: Bool { self == .terminal || self == .nightly }

    /// The pool of the text.
    package func pool(of day: DayFigures) -> DiaryPool {
        switch self {
        case .welcome: .welcome
        case .terminal: .terminal
        case .nightly: day.nightlyPool
        case .band(let band): band.pool
        }
    }
}

extension HealthBand {
    fileprivate var pool: DiaryPool {
        switch self {
        case .hundred, .eighty: .band80
        case .sixty: .band60
        case .forty: .band40
        case .twenty: .band20
        case .ten: .band10
        case .zero: .band0
        }
    }
}

extension DayFigures {
    /// The pool of a `nightly`.
    package var nightlyPool: DiaryPool {
        if bypasses == 0 && reportedMinutes == nil { return .plain }
        return isWithinLimit && hp >= 40 ? .good : .mixed
    }
}
