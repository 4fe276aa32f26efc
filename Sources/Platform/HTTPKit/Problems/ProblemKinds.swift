import DaylyAPI
import Hummingbird

/// The problems that every call can answer.
extension Problem {
    /// 400 for a member of the request's JSON. `pointer` (RFC 6901) names the member in the JSON's own spelling.
    package static func invalidRequest(pointer: String, detail: String) -> Problem {
        Problem(
            .badRequest, .invalidRequest, "The request is not valid.",
            extensions: ["errors": [["pointer": .string(pointer), "detail": .string(detail)]]])
    }

    /// 400 for a header, the query, or the body as a whole.
    package static func invalidRequest(_ detail: String) -> Problem {
        Problem(.badRequest, .invalidRequest, detail)
    }

    package static var unauthorized: Problem {
        Problem(.unauthorized, .unauthorized, "The call needs a valid access token.")
    }

    package static var notFound: Problem {
        Problem(.notFound, .notFound, "There is nothing here that you can see.")
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
            .tooManyRequests, .rateLimited, "Too many requests. Please try again later.",
            retryAfter: retryAfter)
    }

    package static var internalError: Problem {
        Problem(.internalServerError, .internalError, "Something went wrong on our side.")
    }

    package static func unavailable(retryAfter: Duration = .seconds(2)) -> Problem {
        Problem(
            .serviceUnavailable, .unavailable, "A part of the service is down. Please try again shortly.",
            retryAfter: retryAfter)
    }

    package static func overloaded(retryAfter: Duration = .seconds(2)) -> Problem {
        Problem(
            .serviceUnavailable, .overloaded, "The service is busy. Please try again shortly.",
            retryAfter: retryAfter)
    }
}

extension ProblemCode {
    /// The `title` of RFC 9457, which is the same for every occurrence.
    package var title: String {
        let words = rawValue.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
