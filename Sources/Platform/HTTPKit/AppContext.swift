import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// Who makes a call: filled in by the authenticator.
package struct Identity: Sendable, Hashable {
    package let userID: UUID
    package let sessionID: UUID
    /// How long the token was still good when it was looked at, for answers that take long; nil without an end.
    package let expiresIn: Duration?

    package init(userID: UUID, sessionID: UUID, expiresIn: Duration? = nil) {
        self.userID = userID
        self.sessionID = sessionID
        self.expiresIn = expiresIn
    }
}

/// What travels with a request through middlewares and handlers.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The name of the request in answers, logs and the `X-Request-ID` header.
    package internal(set) var requestID: String
    /// Where the request comes from, after trusted proxies; nil in tests without a socket.
    package internal(set) var clientAddress: ClientAddress?
    /// Who makes the call; nil until the authenticator has seen a good token.
    package var identity: Identity?
    /// The socket's other end.
    package let remoteAddress: SocketAddress?
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        requestID = ""
        channel = source.channel
        remoteAddress = source.channel.remoteAddress
    }

    package var requestDecoder: JSONDecoder { WireJSON.makeDecoder() }
    package var responseEncoder: JSONEncoder { WireJSON.makeEncoder() }

    /// The caller, or 401.
    package func requireIdentity() throws(Problem) -> Identity {
        guard let identity else { throw .unauthorized }
        return identity
    }

    /// A path parameter that is a UUID. A malformed one is 404 like one that is not there.
    package func requireID(_ name: String) throws(Problem) -> UUID {
        // 8-4-4-4-12: `UUID(uuidString:)` alone would do, but says nothing about what else it takes.
        guard let text = parameters.get(name), text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw .notFound
        }
        return id
    }

    /// A path parameter that is a typed id, as `requireID(_:)`.
    package func requireID<ID: RawRepresentable>(_ name: String, as type: ID.Type = ID.self) throws(Problem)
        -> ID
    where ID.RawValue == UUID {
        guard let id = ID(rawValue: try requireID(name)) else { throw .notFound }
        return id
    }

    /// A path parameter as text, percent-decoded; a malformed one is 404.
    package func requireParameter(_ name: String) throws(Problem) -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding, !text.utf8.contains(0) else {
            throw .notFound
        }
        return text
    }
}
