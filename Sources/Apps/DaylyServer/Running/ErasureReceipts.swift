import HTTPKit
import Hummingbird
import Restoration

/// Lets clients that erased something or signed out wait until it is written down outside the database, so that a backup
/// does not undo what was acknowledged. A bucket that does not answer delays nobody by more than a second, and the next
/// clients not at all.
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
        request.method == .delete
            || (request.method == .post
                && (request.uri.path.hasSuffix("/block") || request.uri.path.hasSuffix("/auth/logout")))
    }
}
