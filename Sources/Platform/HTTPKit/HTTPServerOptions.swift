import HummingbirdCore

/// What a connection may cost.
package struct HTTPServerOptions: Sendable {
    package var maxHeaderFields = 100
    /// Of all fields together.
    package var maxHeaderBytes = 16 << 10
    /// From a request's first byte (or the connection's start) to the end of its header.
    package var headerTimeout: Duration = .seconds(15)
    /// Between requests.
    package var idleTimeout: Duration = .seconds(60)
    /// From the end of the header to the end of the body.
    package var bodyTimeout: Duration = .seconds(60)
    /// What a client must send on average once `bodyGrace` of waiting for it is over.
    package var minBodyBytesPerSecond = 16 << 10
    package var bodyGrace: Duration = .seconds(5)
    /// How much of a refused body is read so that its sender gets to the answer.
    package var maxDrainBytes = 10 << 20 + 64 << 10
    package var drainTimeout: Duration = .seconds(15)

    package init() {}

    /// The server to give to `Application(router:server:)`.
    package func serverBuilder() -> HTTPServerBuilder {
        .http1()
    }
}
