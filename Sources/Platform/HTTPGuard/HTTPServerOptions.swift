import HummingbirdCore

/// What a connection may cost: sizes and times of HTTP/1.1 messages, whoever handles them.
package struct HTTPServerOptions: Sendable {
    package var maxHeaderFields = 100
    /// Request target and all fields together.
    package var maxHeaderBytes = 16 << 10
    /// From a request's first byte (or the connection's start) to the end of its header.
    package var headerTimeout: Duration = .seconds(15)
    /// Between requests.
    package var idleTimeout: Duration = .seconds(60)
    /// From the end of the header to the end of the body.
    package var bodyTimeout: Duration = .seconds(60)
    /// What a client must send on average after the first `bodyGrace` of waiting for it. Time that the server takes before
    /// it reads does not count.
    package var minBodyBytesPerSecond = 16 << 10
    package var bodyGrace: Duration = .seconds(5)
    /// How much of a refused body is read and thrown away so that its sender gets to the answer.
    package var maxDrainBytes = 10 << 20 + 64 << 10
    package var drainTimeout: Duration = .seconds(30)
    /// A client that takes nothing of its answer for so long is dropped.
    package var writeTimeout: Duration = .seconds(60)
    /// What headers and pauses have at most while four fifths of all connections are taken.
    package var crowdedTimeout: Duration = .seconds(3)
    /// How long an idle connection stays when the service ends: a request may be on its way.
    package var quiesceGrace: Duration = .seconds(1)

    package init() {}

    /// The server to give to `Application(router:server:)`.
    ///
    /// - Parameters:
    ///   - admission: how many requests are worked on at a time; nobody is refused unless given.
    ///   - connections: how many connections are open at a time.
    package func serverBuilder(
        admission: Admission? = nil, connections: ConnectionLimit = ConnectionLimit(maxConnections: .max)
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            var configuration = HTTP1Channel.Configuration()
            configuration.httpDecoder = .init(
                maxHeaderFieldSize: maxHeaderBytes, maxHeaderListSize: maxHeaderBytes,
                maxHeaderFieldCount: maxHeaderFields)
            return GuardedHTTPChannel(
                responder: responder, configuration: configuration, options: self,
                admission: admission ?? .unlimited, connections: connections)
        }
    }
}
