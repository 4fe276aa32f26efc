/// The statements that a connection has prepared, with their names. The least recently used one is dropped for a new
/// one.
struct StatementCache {
    struct Key: Hashable {
        let text: String
        let types: [PostgresType]
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private let capacity: Int

    /// Keeps at least two statements, because one caller may send two in a message. If the statements of several callers do not
    /// fit, their message fails, and each caller's are sent alone.
    init(capacity: Int) { self.capacity = max(2, capacity) }

    var count: Int { entries.count }

    mutating func name(for key: Key) -> String? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    /// The statement to deallocate and remove before another one can be added; nil while there is room.
    var overflow: (key: Key, name: String)? {
        guard entries.count >= capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        return (oldest.key, oldest.value.name)
    }

    mutating func insert(_ key: Key, name: String) {
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
    }

    mutating func remove(_ key: Key) { entries[key] = nil }

    mutating func removeAll() { entries.removeAll() }
}
