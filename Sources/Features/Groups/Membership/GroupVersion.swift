import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// The version of a group's view for one member. Equal versions mean equal views. The number of the newest event covers
/// names, members and photos. The other parts are the member's own, or change with time alone.
struct GroupVersion: Sendable {
    let group: GroupID
    let position: LogPosition
    let lastPhotoAt: Date?
    let sentOn: PostgresDate?
    let timeZone: String
    let isMuted: Bool

    func write(to tag: inout TagInput) {
        tag.append(group.rawValue)
        tag.append(position.number)
        tag.append(Int(position.stamp))
        tag.append(lastPhotoAt)
        tag.append(sentOn?.daysSince1970 ?? .min)
        tag.append(timeZone)
        tag.append(isMuted ? 1 : 0)
    }
}
