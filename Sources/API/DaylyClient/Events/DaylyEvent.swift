import DaylyAPI
import Foundation

/// A change of what the signed-in user sees.
public enum DaylyEvent: Sendable {
    case photoCreated(PhotoCreatedEvent)
    case photoDeleted(PhotoDeletedEvent)
    case groupUpdated(GroupUpdatedEvent)
    case memberJoined(MemberEvent)
    case memberLeft(MemberEvent)
    /// The answer of ``FocusRepository/now(unless:)`` has changed.
    case focusNow
    /// The board of a group has changed.
    case focusBoard(FocusBoardHint)
    /// The answers of ``CompanionRepository`` about days and the diary have changed.
    case companionDay
    /// The answer of ``CompanionRepository/pet(unless:)`` has changed.
    case companionPet
    /// The answer of ``CompanionRepository/wallet(unless:)`` has changed.
    case companionWallet
    /// Hints of Focus and Companion may be missing, because the stream was interrupted: fetch what the screen shows of them.
    case focusResync
    /// Earlier events may be missing: fetch groups and feeds again, and what the screen shows of Focus and Companion. It
    /// comes first on a stream without a cursor, and after the service has refused a cursor as too old.
    case resync

    /// The group that changed; nil for an event that is about none.
    public var groupID: ResourceID? {
        switch self {
        case .photoCreated(let event): event.groupID
        case .photoDeleted(let event): event.groupID
        case .groupUpdated(let event): event.groupID
        case .memberJoined(let event), .memberLeft(let event): event.groupID
        case .focusBoard(let hint): hint.groupID
        case .focusNow, .focusResync, .companionDay, .companionPet, .companionWallet, .resync: nil
        }
    }
}

extension DaylyEvent {
    /// Nil for an event of a newer service. An event that is known but does not decode asks for a `resync`, so that the
    /// change is not lost.
    init?(_ message: EventParser.Message) {
        if let hint = HintName(rawValue: message.name) {
            self.init(hint, message)
            return
        }
        guard let name = EventName(rawValue: message.name) else { return nil }
        let data = Data(message.data.utf8)
        do {
            switch name {
            case .photoCreated: self = .photoCreated(try ClientJSON.decode(from: data))
            case .photoDeleted: self = .photoDeleted(try ClientJSON.decode(from: data))
            case .groupUpdated: self = .groupUpdated(try ClientJSON.decode(from: data))
            case .memberJoined: self = .memberJoined(try ClientJSON.decode(from: data))
            case .memberLeft: self = .memberLeft(try ClientJSON.decode(from: data))
            }
        } catch {
            self = .resync
        }
    }

    private init(_ hint: HintName, _ message: EventParser.Message) {
        switch hint {
        case .focusNow: self = .focusNow
        case .companionDay: self = .companionDay
        case .companionPet: self = .companionPet
        case .companionWallet: self = .companionWallet
        case .focusBoard:
            let board = try? ClientJSON.decode(FocusBoardHint.self, from: Data(message.data.utf8))
            self = board.map { .focusBoard($0) } ?? .focusResync
        }
    }
}
