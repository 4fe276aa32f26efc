import Synchronization

/// Keeps a bounded number of values, of which the least recently used go first. It keeps two generations: when the young one
/// is full, the old one goes and the young one becomes old. A value that is read moves into the young one.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Generations {
        var young: [Key: Value] = [:]
        var old: [Key: Value] = [:]
    }

    private let generationSize: Int
    private let generations = Mutex(Generations())

    /// - Parameter capacity: the largest number of values; at least half as many of the latest used are kept.
    package init(capacity: Int) {
        generationSize = max(1, capacity / 2)
    }

    package subscript(key: Key) -> Value? {
        generations.withLock { generations in
            if let value = generations.young[key] { return value }
            guard let value = generations.old.removeValue(forKey: key) else { return nil }
            insert(value, for: key, &generations)
            return value
        }
    }

    /// Reads without counting it as a use.
    func peek(_ key: Key) -> Value? {
        generations.withLock { $0.young[key] ?? $0.old[key] }
    }

    package func insert(_ value: Value, for key: Key) {
        generations.withLock { generations in
            generations.old[key] = nil
            insert(value, for: key, &generations)
        }
    }

    /// The value of the key, made by `make` unless it is kept already.
    package func value(for key: Key, make: () throws -> Value) rethrows -> Value {
        if let value = self[key] { return value }
        let value = try make()
        insert(value, for: key)
        return value
    }

    private func insert(_ value: Value, for key: Key, _ generations: inout Generations) {
        if generations.young.count >= generationSize, generations.young[key] == nil {
            generations.old = generations.young
            generations.young = [:]
        }
        generations.young[key] = value
    }
}
