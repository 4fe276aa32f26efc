import DaylyAPI
import Foundation

/// JSON as the service writes and reads it.
package enum ClientJSON {
    package static func encode(_ value: some Encodable) throws(DaylyError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // An idempotency key is bound to the bytes of its request, and without this the members come in any order.
        encoder.outputFormatting = .sortedKeys
        do {
            return try encoder.encode(value)
        } catch {
            throw .unexpectedAnswer(status: 0)
        }
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from response: TransportResponse
    ) throws(DaylyError) -> Value {
        do {
            return try decode(type, from: response.body)
        } catch {
            throw .unexpectedAnswer(status: response.status)
        }
    }

    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws
        -> Value
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: data)
    }
}

extension TransportHeaders {
    /// `Retry-After` in seconds. The service never sends a date, and a proxy's date is ignored.
    package var retryAfter: Int? {
        self["Retry-After"].flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.map { max(0, $0) }
    }
}
