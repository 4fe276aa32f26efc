import HummingbirdCore

/// Limits on the size and time of HTTP/1.1 messages. They hold whatever handles the requests.
package struct HTTPServerOptions: Sendable {
    package var maxHeaderFields = 100
    /// The request target and all fields together.
    package var maxHeaderBytes = 16 << 10
    /// From a request's first byte (or the connection's start) to the end of its header.
    package var headerTimeout: Duration = .seconds(15)
    /// Between requests.
    package var idleTimeout: Duration = .seconds(60)
    /// The longest time for which a connection reads nothing after it was answered 503. Each takes between half of it and
    /// all of it, so that the refused clients do not come back at the same moment.
    package var refusalRest: Duration = .milliseconds(500)
    /// The connections of an event loop end their rests together, once in this time.
    package var refusalStep: Duration = .milliseconds(50)
    /// From the end of the header to the end of the body.
    package var bodyTimeout: Duration = .seconds(60)
    /// The average pace that a client must keep after the first `bodyGrace` of waiting for it. The time before the server
    /// reads does not count.
    package var minBodyBytesPerSecond = 16 << 10
    package var bodyGrace: Duration = .seconds(5)
    /// The part of a refused body that is read and thrown away, so that its sender gets to the answer.
    package var maxDrainBytes = 10 << 20 + 64 << 10
    package var drainTimeout: Duration = .seconds(30)
    /// The connection of a client that takes nothing of its answer for this long is closed.
    package var writeTimeout: Duration = .seconds(60)
    /// The limit on headers and pauses while four fifths of all connections are taken.
    package var crowdedTimeout: Duration = .seconds(3)
    /// An idle connection stays for this long when the service ends, since a request may be on its way.
    package var quiesceGrace: Duration = .seconds(1)

    package init() {}

    /// Makes the server for `Application(router:server:)`.
    ///
    /// - Parameters:
    ///   - admission: bounds the requests that are worked on at a time; nil for no bound.
    ///   - connections: bounds the connections that are open at a time.
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
