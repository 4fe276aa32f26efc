import FeatureKit
import Groups
import Resilience

/// The names of a group's senders at one position of its log. A new name is an event of every group that shows it, so the
/// names stay the same until the next event.
struct SenderNames: Sendable {
    let position: LogPosition
    private let names: [UserID: String]

    /// - Parameter photos: all photos of the group at that position.
    init(at position: LogPosition, of photos: [Photo]) {
        self.position = position
        names = Dictionary(
            photos.compactMap { photo in photo.senderName.map { (photo.senderID, $0) } },
            uniquingKeysWith: { name, _ in name })
    }

    /// Nil if the sender has not given a name.
    subscript(sender: UserID) -> String? { names[sender] }
}

/// Keeps the senders' names that feeds showed last, so that the feed of a group without a new event costs no look at its senders.
struct KnownSenders: Sendable {
    /// The names of twelve senders take some 1,000 bytes. Names should not stay in memory long after they are gone.
    private let names = BoundedCache<GroupID, SenderNames>(capacity: 10_000, idleTime: .seconds(3_600))

    subscript(group: GroupID) -> SenderNames? { names[group] }

    /// Keeps the names that a feed shows, unless they are known already. The photos of the last day may lack senders.
    func keep(_ feed: FeedSnapshot, of group: GroupID, scope: FeedScope, known: SenderNames?) {
        let position = feed.state.position
        guard scope == .all, position.number > 0, position != known?.position else { return }
        names.insert(SenderNames(at: position, of: feed.photos), for: group)
    }
}
