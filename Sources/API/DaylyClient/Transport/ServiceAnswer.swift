import DaylyAPI
import Foundation

/// The one place that decides whether an answer is Dayly's.
///
/// Networks answer in the service's place: hotels with their sign-in page, companies with a page that forbids, proxies with
/// a 413 or a 502 of their own. Such an answer says nothing about the request. It is ``DaylyError/unexpectedAnswer(status:)``.
extension TransportRequest {
    /// Whether a head is the service's, and says that it carried the request out. The JSON below it is still to be decoded.
    package func isAccepted(by head: TransportHead) -> Bool {
        if head.status == 304 && headers["If-None-Match"] != nil { return head.hasRequestID }
        return operation?.isAccepted(by: head) ?? false
    }

    /// - Throws: the service's refusal, or ``DaylyError/unexpectedAnswer(status:)``.
    package func check(_ response: TransportResponse) throws(DaylyError) {
        guard isAccepted(by: response.head) else { throw DaylyError(refusal: response) }
    }
}

extension DaylyError {
    /// The error of an answer that is not an acceptance.
    package init(refusal response: TransportResponse) {
        guard let problem = ProblemDocument(response) else {
            self = .unexpectedAnswer(status: response.status)
            return
        }
        self.init(problem)
    }
}

extension ProblemDocument {
    /// Nil for a refusal that is not the service's. Others write problem documents too, with a `type` of their own, and a
    /// proxy may change a status.
    package init?(_ response: TransportResponse) {
        guard response.head.isProblem, response.status >= 400,
            var problem = try? ClientJSON.decode(ProblemDocument.self, from: response.body),
            problem.status == response.status, problem.type == "/problems/\(problem.code)"
        else { return nil }
        problem.retryAfter = response.headers.retryAfter
        self = problem
    }
}

extension TransportHead {
    /// Whether the body may be a problem document.
    package var isProblem: Bool { mediaType == "application/problem+json" }

    /// `Content-Type` without its parameters.
    package var mediaType: String? {
        headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// Each answer of the service has one. An answer without a body has nothing else to tell it by.
    fileprivate var hasRequestID: Bool { headers["X-Request-ID"]?.isEmpty == false }
}

extension Operation {
    package func isAccepted(by head: TransportHead) -> Bool {
        guard successes.contains(head.status) else { return false }
        guard let mediaType else { return head.hasRequestID }
        return head.mediaType == mediaType
    }
}
