import FeatureKit
import Foundation
import Postgres

/// The version of a group's view for one member. Equal versions mean equal views. The number of the newest event covers
/// names, members and photos. The other parts are the member's own, or change with time alone.
struct GroupVersion: Sendable {
    /// The parts of an entity tag.
    let parts: [String]

    init(
        group: GroupID, position: LogPosition, lastPhotoAt: Date?, sentOn: PostgresDate?, timeZone: String,
        isMuted: Bool
    ) {
        parts = [
            group.resourceID.description, String(position.number), String(position.stamp),
            lastPhotoAt.map { String($0.timeIntervalSince1970) } ?? "-", sentOn.map { "\($0)" } ?? "-",
            timeZone, isMuted ? "muted" : "-",
        ]
    }
}
