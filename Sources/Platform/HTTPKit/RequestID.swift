/// The id of one request, as it appears in `X-Request-ID`, in problems and in the log.
package enum RequestID {
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
