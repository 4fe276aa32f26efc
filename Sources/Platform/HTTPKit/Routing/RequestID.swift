import DaylyAPI
import Foundation

/// The id of one request, as it appears in `X-Request-ID`, in problems and in the log.
package enum RequestID {
    /// A random UUID (RFC 9562, section 5.4), for a request that has no id. Foundation's `UUID()` opens and closes
    /// /dev/urandom each time, which takes a tenth of the time of a short request.
    package static func new() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() >> 2 | 1 << 63
        let uuid = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.load(as: uuid_t.self) }
        return ResourceID(UUID(uuid: uuid)).description
    }

    /// The id that a client or proxy has given to its request.
    ///
    /// - Returns: nil for an id that could do harm in a header or in a log line: it must have 8 to 64 letters, digits,
    ///   dots, dashes and underscores.
    package static func accepted(_ id: String) -> String? {
        let isHarmless = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isHarmless && (8...64).contains(id.utf8.count) ? id : nil
    }
}
