import DaylyAPI
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Turns every error into a problem. An unexpected error is logged in full, and its answer does not describe it.
struct ProblemMiddleware: RouterMiddleware {
    let map: @Sendable (any Error) -> Problem?

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return problem(for: error, context: context).response(requestID: context.requestID)
        }
    }

    private func problem(for error: any Error, context: AppContext) -> Problem {
        if let problem = error as? Problem { return problem }
        if let problem = (error as? any ProblemConvertible)?.problem { return problem }
        if let problem = map(error) {
            if problem.status.code >= 500 {
                context.logger.warning(
                    "a dependency failed",
                    metadata: [
                        "route": .string(context.routeLabel), "error": .string(String(reflecting: error)),
                    ])
            }
            return problem
        }
        switch error {
        case let error as DecodingError:
            return Problem(error)
        case is HTTPParserError:
            return .malformedMessage
        case is BodyTooSlow:
            return .bodyTooSlow
        case is CancellationError:
            // The client has closed the connection, or the service is ending.
            return .unavailable()
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            return Problem(status: error.status)
        default:
            context.logger.error(
                "unexpected error",
                metadata: [
                    "route": .string(context.routeLabel), "error": .string(String(reflecting: error)),
                ])
            return .internalError
        }
    }
}

extension Problem {
    /// The message violates the syntax of HTTP/1.1. Nothing that follows on its connection can be trusted.
    package static var malformedMessage: Problem {
        Problem(
            .badRequest, .invalidRequest, "The request is not well-formed HTTP.",
            headers: [.connection: "close"])
    }

    package static var bodyTooSlow: Problem {
        Problem(
            .requestTimeout, .invalidRequest, "The request did not arrive in time.",
            headers: [.connection: "close"])
    }

    /// For Hummingbird's own errors, of which a client may see only the status.
    init(status: HTTPResponse.Status) {
        switch status {
        case .unauthorized: self = .unauthorized
        case .notFound: self = .notFound
        case .contentTooLarge:
            self = Problem(status, .bodyTooLarge, "The body is too large.")
        case .unsupportedMediaType:
            self = .unsupportedMediaType("The server does not accept this media type.")
        case .tooManyRequests: self = .rateLimited(retryAfter: .seconds(1))
        default:
            self = Problem(status, .invalidRequest, "The request is not valid.")
        }
    }
}
