import DaylyAPI
import HTTPKit
import NIOHTTP1

/// Rules for a request's head beyond those of the parser. They refuse heads that two servers could read in two ways
/// (RFC 9112, 3.2 and 6.3).
enum RequestHeadRules {
    static func violation(in head: HTTPRequestHead) -> Problem? {
        let hosts = head.headers["host"]
        if hosts.count > 1 || (hosts.isEmpty && head.version == .http1_1) {
            return .malformed("The request must have exactly one Host field.")
        }
        let lengths = head.headers["content-length"]
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        if lengths.count > 1 || lengths.contains(where: { !$0.utf8.allSatisfy(isDigit) || $0.isEmpty }) {
            return .malformed("Content-Length is malformed.")
        }
        if !codings.isEmpty {
            if !lengths.isEmpty {
                return .malformed("The request has both Content-Length and Transfer-Encoding.")
            }
            if head.version != .http1_1 || codings.count != 1 || codings[0].lowercased() != "chunked" {
                return .malformed("Transfer-Encoding must be chunked.")
            }
        }
        if head.method == .CONNECT
            || !(head.uri.hasPrefix("/") || head.uri.hasPrefix("http") || head.uri == "*")
        {
            return .malformed("This server does not accept the request target.")
        }
        return nil
    }

    /// The length of the body; nil for a chunked one.
    static func bodyLength(of head: HTTPRequestHead) -> Int? {
        head.headers.contains(name: "transfer-encoding")
            ? nil : head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
    }

    static func expectsContinue(_ head: HTTPRequestHead) -> Bool {
        head.version == .http1_1 && head.headers.first(name: "expect")?.lowercased() == "100-continue"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension Problem {
    static func malformed(_ detail: String) -> Problem {
        var problem = Problem.malformedMessage
        problem.detail = detail
        return problem
    }

    static func forParser(_ error: HTTPParserError) -> Problem {
        guard error == .headerOverflow else { return .malformedMessage }
        return Problem(
            .requestHeaderFieldsTooLarge, .invalidRequest, "The header is too large.",
            headers: [.connection: "close"])
    }
}
