import Testing

/// The real programs over sockets, as people use them. One test after the other, because each starts a service of its own. The
/// tests of ``EndToEndDamage`` run beside them, because both wait more than they compute.
@Suite("End to end", .serialized)
struct EndToEnd {}

/// The real programs when they are killed, restored from backups, or swept by several at once.
@Suite("End to end: damage", .serialized)
struct EndToEndDamage {}
