import Foundation

/// Reads the forms of text that settings share.
package enum SettingText {
    /// The items of a comma-separated list, trimmed, without empty ones.
    package static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// As `list`, for items that may hold a comma, written `\,`.
    static func escapedList(_ text: String) -> [String] {
        let comma = "\u{0}"
        return list(text.replacing("\\,", with: comma)).map { $0.replacing(comma, with: ",") }
    }

    /// `250ms`, `30s`, `5m`, `48h`, `7d`. A number without a unit is refused.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let amount = Int64(digits), amount <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(amount)
        case "s": return .seconds(amount)
        case "m": return .seconds(amount * 60)
        case "h": return .hours(amount)
        case "d": return .days(amount)
        default: return nil
        }
    }

    /// The shortest of the forms that `duration` reads.
    static func text(_ duration: Duration) -> String {
        let (seconds, fraction) = duration.components
        if fraction != 0 { return "\(seconds * 1_000 + fraction / 1_000_000_000_000_000)ms" }
        for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)]
        where seconds >= length && seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }

    /// `10485760`, `10240KiB`, `10MiB`, `1GiB`; `kB`, `MB` and `GB` are powers of ten.
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let amount = Int(digits) else { return nil }
        let unit: Int
        switch text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces).lowercased() {
        case "", "b": unit = 1
        case "kib": unit = 1 << 10
        case "mib": unit = 1 << 20
        case "gib": unit = 1 << 30
        case "kb": unit = 1_000
        case "mb": unit = 1_000_000
        case "gb": unit = 1_000_000_000
        default: return nil
        }
        let (product, overflow) = amount.multipliedReportingOverflow(by: unit)
        return overflow ? nil : product
    }

    /// `10.0.0.7`, `10.0.0.0/8`, `::1`.
    static func isAddressBlock(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = parts.first, parts.count <= 2 else { return false }
        let isIPv4 = isAddress(String(address), AF_INET)
        guard isIPv4 || isAddress(String(address), AF_INET6) else { return false }
        guard parts.count == 2 else { return true }
        guard let bits = Int(parts[1]) else { return false }
        return (0...(isIPv4 ? 32 : 128)).contains(bits)
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            inet_pton(family, text, buffer.baseAddress) == 1
        }
    }
}

extension Duration {
    package static func hours(_ hours: Int64) -> Duration { .seconds(hours * 3_600) }
    package static func days(_ days: Int64) -> Duration { .seconds(days * 86_400) }
}
