import Foundation
import ObjectStorage

/// One object of the journal. Its name suffices to order segments and to compare them with the database's steps, so a listing
/// does not have to read them. A name is used once, so a late PUT overwrites nothing.
struct JournalSegment: Sendable, Equatable {
    enum Content: String, Sendable {
        /// Shows that the database was alive at that time. It has no records.
        case alive = "beat"
        /// Holds records.
        case log
    }

    let name: StepName
    /// By the database's clock, to the second.
    let writtenAt: Date
    let database: UUID
    let content: Content
    let key: ObjectKey
    /// In bytes; 0 for a segment that does not come from a listing.
    var size = 0
    /// Whether the object was deleted, and the bucket still has versions of it.
    var isHidden = false

    var epoch: Int { name.epoch }

    /// A random token for a new step.
    static func newToken() -> String {
        String(UUID().uuidString.lowercased().replacing("-", with: "").prefix(16))
    }

    /// A new segment under `prefix`, which ends with a slash.
    init(
        prefix: String, name: StepName, writtenAt: Date, database: UUID, content: Content
    ) throws(ObjectStoreError) {
        self.name = name
        self.writtenAt = Date(timeIntervalSince1970: writtenAt.timeIntervalSince1970.rounded(.down))
        self.database = database
        self.content = content
        let random = String(UUID().uuidString.lowercased().prefix(8))
        let text = [
            Self.padded(name.epoch, to: 19), Self.padded(Int(writtenAt.timeIntervalSince1970), to: 11),
            database.uuidString.lowercased(), content.rawValue, "\(name.token)-\(random)",
        ].joined(separator: ".")
        key = try ObjectKey(prefix + text)
    }

    /// A segment by its key in a listing; nil if the key is not that of a segment.
    init?(_ key: ObjectKey, prefix: String) {
        guard key.rawValue.hasPrefix(prefix) else { return nil }
        let parts = key.rawValue.dropFirst(prefix.count).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let epoch = Int(parts[0]), epoch >= 0, let seconds = Int(parts[1]),
            let database = UUID(uuidString: String(parts[2])),
            let content = Content(rawValue: String(parts[3]))
        else { return nil }
        name = StepName(epoch: epoch, token: String(parts[4].prefix { $0 != "-" }))
        writtenAt = Date(timeIntervalSince1970: TimeInterval(seconds))
        self.database = database
        self.content = content
        self.key = key
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
