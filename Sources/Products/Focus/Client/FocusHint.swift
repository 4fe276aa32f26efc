import DaylyAPI
import DaylyClient
import FocusAPI
import Foundation

/// The part of Focus that an app fetches again.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FocusHint: Sendable {
    /// The answer of ``FocusRepository/now(unless:)`` has changed.
    case now
    /// The board of a group has changed.
    case board(FocusBoardHint)
    /// Hints may be missing: fetch what the screen shows.
    case everything
}

extension DaylyEvent {
    /// The hint of an event of the stream; nil for an event that is about something else than Focus.
    public var focus: FocusHint? {
        switch self {
        case .hint(let name, let data):
            switch FocusHintName(rawValue: name) {
            case .now: .now
            case .board:
                (try? ClientJSON.decode(FocusBoardHint.self, from: data)).map { .board($0) } ?? .everything
            case nil: nil
            }
        case .hintsMissed, .resync: .everything
        default: nil
        }
    }
}
