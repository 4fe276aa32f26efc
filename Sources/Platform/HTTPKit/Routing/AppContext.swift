import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The caller of a request, filled in by the authenticator.
package struct Identity: Sendable, Hashable {
    package let userID: UUID
    package let sessionID: UUID
    /// The remaining lifetime of the access token when it was checked, for answers that take long; nil without an end.
    package let expiresIn: Duration?

    package init(userID: UUID, sessionID: UUID, expiresIn: Duration? = nil) {
        self.userID = userID
        self.sessionID = sessionID
        self.expiresIn = expiresIn
    }
}

/// The context of a request, which middlewares and handlers share.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The id of the request in answers, in logs and in the `X-Request-ID` header.
    package internal(set) var requestID: String
    /// The client's address behind trusted proxies; nil in tests without a socket.
    package internal(set) var clientAddress: ClientAddress?
    /// The caller; nil until the authenticator has seen a valid token.
    package var identity: Identity?
    /// The caller of a route that `.reads`; nil on other routes.
    package var caller: (any UncheckedCaller)?
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

    /// The caller.
    ///
    /// - Throws: 401 without one.
    package func requireIdentity() throws(Problem) -> Identity {
        guard let identity else { throw .unauthorized }
        return identity
    }

    /// A path parameter that is a UUID.
    ///
    /// - Throws: 404 for a malformed UUID, as for an unknown one.
    package func requireID(_ name: String) throws(Problem) -> UUID {
        // The form 8-4-4-4-12 has 36 bytes. `UUID(uuidString:)` does not document which other forms it accepts.
        guard let text = parameters.get(name), text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw .notFound
        }
        return id
    }

    /// A path parameter that is a typed id.
    ///
    /// - Throws: 404 for a malformed UUID, as for an unknown one.
    package func requireID<ID: RawRepresentable>(_ name: String, as type: ID.Type = ID.self) throws(Problem)
        -> ID
    where ID.RawValue == UUID {
        guard let id = ID(rawValue: try requireID(name)) else { throw .notFound }
        return id
    }

    /// A path parameter as text, percent-decoded.
    ///
    /// - Throws: 404 for a malformed parameter.
    package func requireParameter(_ name: String) throws(Problem) -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding, !text.utf8.contains(0) else {
            throw .notFound
        }
        return text
    }
}
