/// The types of messages that tempt a user to end a streak. The raw values are those of the push messages' keys.
package enum TemptationKind: String, CaseIterable, Sendable {
    case curiosity, social, fomo, taunt
    case fakeUrgency = "fake_urgency"

    /// The number of texts that the apps have.
    package var texts: Int {
        switch self {
        case .curiosity, .fakeUrgency: 5
        case .social, .fomo: 3
        case .taunt: 4
        }
    }
}

package enum TemptationIntensity: String, CaseIterable, Sendable {
    case low, medium, high

    /// In seconds.
    var period: Int {
        switch self {
        case .low: 7_200
        case .medium: 3_600
        case .high: 1_800
        }
    }
}

/// A text that a user gets or has got.
package struct TemptationText: Hashable, Sendable {
    package let kind: TemptationKind
    /// From 0.
    package let number: Int

    package init(kind: TemptationKind, number: Int) {
        self.kind = kind
        self.number = number
    }
}
