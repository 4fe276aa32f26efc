import Testing

/// The real programs over sockets. One after the other, because each starts a service of its own.
@Suite("End to end", .serialized)
struct EndToEnd {}
