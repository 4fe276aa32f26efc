import HTTPKit
import Hummingbird
import Restoration

/// Lets who erased something wait until it is written down outside the database, so that what was acknowledged is not
/// undone by a backup. A bucket that does not answer delays nobody by more than a second, and the next ones not at all.
struct ErasureReceipts: RouterMiddleware {
    typealias Context = AppContext

    let restoreGuard: RestoreGuard

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        if Self.mayErase(request) { await restoreGuard.settle(within: .seconds(1)) }
        return response
    }

    private static func mayErase(_ request: Request) -> Bool {
        request.method == .delete || (request.method == .post && request.uri.path.hasSuffix("/block"))
    }
}
