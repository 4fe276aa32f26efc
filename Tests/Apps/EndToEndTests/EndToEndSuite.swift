import Testing

/// The real programs over sockets, as people use them. One test after the other, because each starts a service of its own. The
/// tests of ``EndToEndDamage`` and ``EndToEndRestores`` run beside them, because all wait more than they compute.
@Suite("End to end", .serialized)
struct EndToEnd {}

/// The real programs when they are killed, or when several sweep at once.
@Suite("End to end: damage", .serialized)
struct EndToEndDamage {}

/// The real programs after their database was restored from a backup.
@Suite("End to end: restores", .serialized)
struct EndToEndRestores {}
