import CompanionAPI
import DaylyClient

/// The part of Companion that an app fetches again.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CompanionHint: Sendable {
    /// The answers of ``CompanionRepository`` about days and the diary have changed.
    case day
    /// The answer of ``CompanionRepository/pet(unless:)`` has changed.
    case pet
    /// The answer of ``CompanionRepository/wallet(unless:)`` has changed.
    case wallet
    /// Hints may be missing: fetch what the screen shows.
    case everything
}

extension DaylyEvent {
    /// The hint of an event of the stream; nil for an event that is about something else than Companion.
    public var companion: CompanionHint? {
        switch self {
        case .hint(let name, _):
            switch CompanionHintName(rawValue: name) {
            case .day: .day
            case .pet: .pet
            case .wallet: .wallet
            case nil: nil
            }
        case .hintsMissed, .resync: .everything
        default: nil
        }
    }
}
