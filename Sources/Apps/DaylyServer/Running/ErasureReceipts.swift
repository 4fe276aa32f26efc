import HTTPKit
import Hummingbird
import Restoration

/// Wraps the routes that erase something or end a session. The answer waits until the erasure is in the journal outside
/// the database, so that a restored backup does not undo what the service has acknowledged. A bucket that does not answer
/// delays an answer by at most a second, and the next answers not at all.
struct ErasureReceipts: RouterMiddleware {
    typealias Context = AppContext

    let restoreGuard: RestoreGuard

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        await restoreGuard.waitUntilWritten(within: .seconds(1))
        return response
    }
}
