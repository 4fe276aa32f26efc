import DaylyAPI
import Foundation
import Hummingbird
import NIOCore

extension Request {
    /// Decodes the body as strict JSON: UTF-8, at most 32 levels, without duplicate names, U+0000 and half surrogate pairs.
    /// Unknown members are ignored.
    ///
    /// - Throws: `Problem`: 415 for another content type, 413 above `maxBytes`, 400 with `errors` that point at the faulty
    ///   member.
    package func decodeJSON<Body: Decodable>(
        _ type: Body.Type = Body.self, context: AppContext, maxBytes: Int = 64 << 10
    ) async throws -> Body {
        try Self.decode(try await readJSON(context: context, maxBytes: maxBytes))
    }

    /// The bytes of a body that is declared as JSON.
    func readJSON(context: AppContext, maxBytes: Int) async throws -> [UInt8] {
        try requireJSON()
        let buffer = try await readBody(maxBytes: maxBytes, tooLarge: nil, context: context)
        return Array(buffer.readableBytesView)
    }

    static func decode<Body: Decodable>(_ bytes: [UInt8]) throws -> Body {
        guard !bytes.isEmpty else {
            throw Problem.invalidRequest(pointer: "", detail: "The body is empty; it must be a JSON object.")
        }
        do throws(JSONScanner.Fault) {
            try JSONScanner.validate(bytes)
        } catch {
            throw Problem.invalidRequest(pointer: error.pointer, detail: error.detail)
        }
        do {
            return try WireJSON.makeDecoder().decode(Body.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem(error)
        }
    }

    private func requireJSON() throws(Problem) {
        try requireIdentityEncoding()
        guard let contentType = headers[.contentType] else { return }
        let type = contentType.prefix { $0 != ";" }.trimmingWhitespace.lowercased()
        guard type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json")) else {
            throw .unsupportedMediaType("The body must be application/json.")
        }
    }

    /// Refuses compressed bodies, because `Content-Length` does not bound their size after decompression.
    func requireIdentityEncoding() throws(Problem) {
        guard let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" else { return }
        throw .unsupportedMediaType("The body must not be compressed.")
    }
}

extension Problem {
    /// 400 that points at the member that the decoder could not read.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .at(context.codingPath + [key], "This member is required.")
        case .valueNotFound(_, let context):
            self = .at(context.codingPath, "This must not be null.")
        case .typeMismatch(let type, let context):
            self = .at(context.codingPath, "This must be \(Self.name(of: type)).")
        case .dataCorrupted(let context):
            self = .at(context.codingPath, "This value is not valid.")
        @unknown default:
            self = .invalidRequest("The request is not valid.")
        }
    }

    private static func at(_ path: [any CodingKey], _ detail: String) -> Problem {
        let steps = path.map { key in key.intValue.map(String.init) ?? key.stringValue }
        return .invalidRequest(pointer: JSONPointer.text(steps), detail: detail)
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Date.Type: "a timestamp"
        case is [Any].Type: "an array"
        case is [String: Any].Type: "an object"
        default: "of another type"
        }
    }
}
