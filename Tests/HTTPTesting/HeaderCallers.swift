import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import HTTPTypes
import Hummingbird
import Postgres

/// Stands in for the authenticator: a header names the caller. An access token would expire as a test moves time, and calls of one
/// moment meet in the feature's own statements, without the authenticator's before them.
package struct HeaderCallers: RouterMiddleware, CallerAuthentication {
    private let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    package var identifying: Middleware { self }
    package var reading: Middleware { self }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let id = request.headers[.testCaller].flatMap(UUID.init(uuidString:)) {
            context.identity = Identity(userID: id, sessionID: UUID())
            context.caller = Caller(live: UserID(id), postgres)
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    /// The id of the caller, for ``HeaderCallers``.
    package static var testCaller: HTTPField.Name { HTTPField.Name("X-Test-Caller").unsafelyUnwrapped }
}
