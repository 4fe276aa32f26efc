import Auth
import FeatureKit
import Foundation
import Postgres

/// The version of a group's view for one member. Equal versions mean equal views. The number of the newest event covers
/// names, members and photos. The other parts are the member's own, or change with time alone.
struct GroupVersion: Sendable {
    /// The parts of an entity tag.
    let parts: [String]

    init(_ row: PostgresRow) throws {
        let position = try LogPosition(row)
        let id: GroupID = try row.get("id")
        let newest: Date? = try row.get("last_photo_at")
        let sentOn: PostgresDate? = try row.get("sent_on")
        let isMuted: Bool = try row.get("is_muted")
        parts = [
            id.resourceID.description, String(position.number), String(position.stamp),
            newest.map { String($0.timeIntervalSince1970) } ?? "-", sentOn.map { "\($0)" } ?? "-",
            try row.get("time_zone"), isMuted ? "muted" : "-",
        ]
    }
}
