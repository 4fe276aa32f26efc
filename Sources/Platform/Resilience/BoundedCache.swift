import Synchronization

/// Keeps a bounded number of values, of which the least recently used go first. It keeps two generations: when the young one
/// is full, or has lasted for the idle time, the old one goes and the young one becomes old. A value that is read moves into
/// the young one.
///
/// Its methods are inlinable, so that the compiler makes them for the types of the target that keeps the values: a feed looks up
/// eight.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Generations {
        @usableFromInline var young: [Key: Value] = [:]
        @usableFromInline var old: [Key: Value] = [:]
        @usableFromInline var began = ContinuousClock.now

        @inlinable init(old: [Key: Value] = [:]) { self.old = old }
    }

    @usableFromInline let generationSize: Int
    @usableFromInline let idleTime: Duration?
    @usableFromInline let generations = Mutex(Generations())

    /// - Parameters:
    ///   - capacity: the largest number of values; at least half as many of the latest used are kept.
    ///   - idleTime: how long a value is kept at least without a use, and at most twice as long while others are used.
    ///     Without a limit if nil.
    package init(capacity: Int, idleTime: Duration? = nil) {
        generationSize = max(1, capacity / 2)
        self.idleTime = idleTime
    }

    @inlinable package subscript(key: Key) -> Value? {
        generations.withLock { generations in
            endIdle(&generations)
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

    @inlinable package func insert(_ value: Value, for key: Key) {
        generations.withLock { generations in
            endIdle(&generations)
            generations.old[key] = nil
            insert(value, for: key, &generations)
        }
    }

    /// The value of the key, made by `make` unless it is kept already.
    @inlinable package func value(for key: Key, make: () throws -> Value) rethrows -> Value {
        if let value = self[key] { return value }
        let value = try make()
        insert(value, for: key)
        return value
    }

    @inlinable func insert(_ value: Value, for key: Key, _ generations: inout Generations) {
        if generations.young.count >= generationSize, generations.young[key] == nil {
            generations = Generations(old: generations.young)
        }
        generations.young[key] = value
    }

    @inlinable func endIdle(_ generations: inout Generations) {
        guard let idleTime else { return }
        let age = generations.began.duration(to: .now)
        if age >= idleTime { generations = Generations(old: age >= idleTime * 2 ? [:] : generations.young) }
    }
}
