import Foundation
import ObjectStorage

/// One object of the journal. Its name says all that is needed to order segments and to find the highest epoch, so that
/// a listing does for that; names are never used twice, so a PUT that lands late overwrites nothing.
struct JournalSegment: Sendable, Equatable {
    enum Content: String, Sendable {
        /// Says that the database was alive, and nothing else.
        case beat
        /// Holds records.
        case log
    }

    let epoch: Int
    /// By the database's clock, to the second.
    let writtenAt: Date
    let database: UUID
    let content: Content
    let key: ObjectKey

    /// A new segment under `prefix`, which ends with a slash.
    init(
        prefix: String, epoch: Int, writtenAt: Date, database: UUID, content: Content
    ) throws(ObjectStoreError) {
        self.epoch = epoch
        self.writtenAt = Date(timeIntervalSince1970: writtenAt.timeIntervalSince1970.rounded(.down))
        self.database = database
        self.content = content
        let name = [
            Self.padded(epoch, to: 19), Self.padded(Int(writtenAt.timeIntervalSince1970), to: 11),
            database.uuidString.lowercased(), content.rawValue,
            String(UUID().uuidString.lowercased().prefix(8)),
        ].joined(separator: ".")
        key = try ObjectKey(prefix + name)
    }

    /// A segment as a listing names it; nil for anything else that lies there.
    init?(_ key: ObjectKey, prefix: String) {
        guard key.rawValue.hasPrefix(prefix) else { return nil }
        let parts = key.rawValue.dropFirst(prefix.count).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let epoch = Int(parts[0]), epoch >= 0, let seconds = Int(parts[1]),
            let database = UUID(uuidString: String(parts[2])),
            let content = Content(rawValue: String(parts[3]))
        else { return nil }
        self.epoch = epoch
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
