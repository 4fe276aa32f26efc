import CompanionAPI
import DaylyClient

/// What an app fetches again of Companion.
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
    /// What an event of the stream says about Companion; nil for an event that is about something else.
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
