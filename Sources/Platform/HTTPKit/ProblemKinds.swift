import DaylyAPI
import Hummingbird

/// The problems that any call may answer.
extension Problem {
    /// 400. `pointer` (RFC 6901) names the member of the request's JSON that is wrong, in its own spelling.
    package static func invalidRequest(pointer: String, detail: String) -> Problem {
        Problem(
            .badRequest, .invalidRequest, "The request is not valid.",
            extensions: ["errors": [["pointer": .string(pointer), "detail": .string(detail)]]])
    }

    /// 400 for what has no place in a JSON body: a header, the query, the body as a whole.
    package static func invalidRequest(_ detail: String) -> Problem {
        Problem(.badRequest, .invalidRequest, detail)
    }

    package static var unauthorized: Problem {
        Problem(.unauthorized, .unauthorized, "The call needs a valid access token.")
    }

    package static var notFound: Problem {
        Problem(.notFound, .notFound, "There is nothing here, or nothing that the caller may see.")
    }

    package static func methodNotAllowed(allow methods: [HTTPRequest.Method]) -> Problem {
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        return Problem(
            .methodNotAllowed, .methodNotAllowed, "This resource answers \(allowed).",
            headers: [.allow: allowed])
    }

    package static func bodyTooLarge(maxBytes: Int) -> Problem {
        Problem(.contentTooLarge, .bodyTooLarge, "The body may have at most \(maxBytes) bytes.")
    }

    package static func unsupportedMediaType(_ detail: String) -> Problem {
        Problem(.unsupportedMediaType, .unsupportedMediaType, detail)
    }

    package static func rateLimited(retryAfter: Duration) -> Problem {
        Problem(
            .tooManyRequests, .rateLimited, "Too many requests. Try again later.", retryAfter: retryAfter)
    }

    package static var internalError: Problem {
        Problem(.internalServerError, .internalError, "Something went wrong on our side.")
    }

    package static func unavailable(retryAfter: Duration = .seconds(2)) -> Problem {
        Problem(
            .serviceUnavailable, .unavailable, "A part of the service is down. Try again shortly.",
            retryAfter: retryAfter)
    }

    package static func overloaded(retryAfter: Duration = .seconds(2)) -> Problem {
        Problem(
            .serviceUnavailable, .overloaded, "The service has too much to do. Try again shortly.",
            retryAfter: retryAfter)
    }
}

extension ProblemCode {
    /// RFC 9457's `title`: the same for every occurrence.
    package var title: String {
        let words = rawValue.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
