import DaylyAPI
import Foundation

/// A change of what the signed-in user sees.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DaylyEvent: Sendable {
    case photoCreated(PhotoCreatedEvent)
    case photoDeleted(PhotoDeletedEvent)
    case groupUpdated(GroupUpdatedEvent)
    case memberJoined(MemberEvent)
    case memberLeft(MemberEvent)
    /// Something of another product has changed: its library says what. The service does not keep hints.
    case hint(name: String, data: Data)
    /// Hints may be missing, because the stream was interrupted: fetch what the screen shows of other products.
    case hintsMissed
    /// Earlier events may be missing: fetch groups and feeds again, and what the screen shows of other products. It comes
    /// first on a stream without a cursor, and after the service has refused a cursor as too old.
    case resync

    /// The group that changed; nil for an event that is about none.
    public var groupID: ResourceID? {
        switch self {
        case .photoCreated(let event): event.groupID
        case .photoDeleted(let event): event.groupID
        case .groupUpdated(let event): event.groupID
        case .memberJoined(let event), .memberLeft(let event): event.groupID
        case .hint, .hintsMissed, .resync: nil
        }
    }
}

extension DaylyEvent {
    /// Nil for an event of a newer service. An event that is known but does not decode asks for a `resync`, so that the
    /// change is not lost.
    init?(_ message: EventParser.Message) {
        let data = Data(message.data.utf8)
        guard let name = EventName(rawValue: message.name) else {
            if message.hasID { return nil }
            self = .hint(name: message.name, data: data)
            return
        }
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
}
