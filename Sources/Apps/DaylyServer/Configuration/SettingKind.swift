import Auth
import Foundation
import PhoneNumbers

/// What the text of a setting must look like. `complaint` is the one place where that is judged; the `parse`
/// functions beside it read what it let through.
enum SettingKind: Sendable {
    case text
    case secret(minBytes: Int)
    case secrets(minBytes: Int)
    case path
    case paths
    case webURL
    case databaseURL
    case number(ClosedRange<Int>)
    case bytes(ClosedRange<Int>)
    case duration(ClosedRange<Duration>)
    case flag
    case choice([String])
    case choices([String])
    case addresses
    case countries
    case reviewers
    case shape(TextShape)
    case shapes(TextShape)

    /// What is wrong with `text`, as the end of a sentence that starts with the key; nil when it will do. Never
    /// quotes the text of a secret.
    func complaint(about text: String) -> String? {
        switch self {
        case .text, .path:
            return text.contains("\0") ? "holds a NUL byte" : nil
        case .secret(let minBytes):
            return text.utf8.count < minBytes
                ? "is \(text.utf8.count) bytes long; at least \(minBytes) are needed" : nil
        case .secrets(let minBytes):
            return Self.secrets(text).enumerated().first { $0.element.utf8.count < minBytes }.map {
                "has an entry (number \($0.offset + 1)) of \($0.element.utf8.count) bytes; at least \(minBytes) are "
                    + "needed. A comma ends an entry; one within an entry is written \\,"
            }
        case .paths:
            return Self.list(text).isEmpty ? "names no file" : nil
        case .webURL where text.contains("@"):
            return "holds a user name or password, which has no place in it"
        case .webURL:
            // Nothing is quoted: what is not a URL may be one with a password and a slip in it.
            return Self.webURL(text) == nil
                ? "is not a URL. A URL starts with https:// (or http://) and a host" : nil
        case .databaseURL:
            let isURL = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
            return isURL
                ? nil : "is not a libpq URL. One looks like postgresql://user:password@host:5432/dayly"
        case .number(let range):
            guard let value = Int(text) else { return "is no whole number: \(quoted(text))" }
            return range.contains(value)
                ? nil : "is \(value); it must be between \(range.lowerBound) and \(range.upperBound)"
        case .bytes(let range):
            guard let value = Self.bytes(text) else {
                return "is no size: \(quoted(text)). Sizes look like 10485760, 512KiB or 10MiB"
            }
            return range.contains(value)
                ? nil
                : "is \(value) bytes; it must be between \(range.lowerBound) and \(range.upperBound)"
        case .duration(let range):
            guard let value = Self.duration(text) else {
                return "is no duration: \(quoted(text)). Durations look like 30s, 5m, 48h or 7d"
            }
            return range.contains(value)
                ? nil
                : "is \(text); it must be between \(Self.text(range.lowerBound)) and "
                    + Self.text(range.upperBound)
        case .flag:
            return Self.flag(text) == nil ? "is neither true nor false: \(quoted(text))" : nil
        case .choice(let allowed):
            return allowed.contains(text)
                ? nil : "is \(quoted(text)); it must be \(allowed.joined(separator: " or "))"
        case .choices(let allowed):
            let items = Self.list(text)
            if items.isEmpty { return "is empty; it must hold any of \(allowed.joined(separator: ", "))" }
            let unknown = items.filter { !allowed.contains($0) }
            return unknown.isEmpty
                ? nil
                : "holds \(unknown.map(quoted).joined(separator: ", ")); it may hold "
                    + allowed.joined(separator: ", ")
        case .addresses:
            let wrong = Self.list(text).filter { !Self.isAddressBlock($0) }
            return wrong.isEmpty
                ? nil
                : "holds \(wrong.map(quoted).joined(separator: ", ")), which is no address. Addresses look like "
                    + "10.0.0.7, 10.0.0.0/8 or ::1"
        case .shape(let shape):
            return shape.matches(text)
                ? nil : "is \(quoted(text)), which is no \(shape.name). One looks like \(shape.example)"
        case .shapes(let shape):
            let wrong = Self.list(text).filter { !shape.matches($0) }
            return wrong.isEmpty
                ? nil
                : "holds \(wrong.map(quoted).joined(separator: ", ")), which is no \(shape.name). "
                    + "One looks like \(shape.example)"
        case .countries:
            let wrong = Self.list(text).filter { Self.country($0).map(Self.isKnownCountry) != true }
            return wrong.isEmpty
                ? nil
                : "holds \(wrong.map(quoted).joined(separator: ", ")), which is neither a country's calling code, "
                    + "such as 49, nor a country, such as DE"
        case .reviewers:
            return Self.reviewersComplaint(text)
        }
    }

    private func quoted(_ text: String) -> String {
        "“\(Masking.shown(text).prefix(80))”"
    }
}

extension SettingKind {
    /// The items of a comma-separated list, trimmed, empty ones left out.
    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// As `list`, for texts that may hold a comma: there it is written `\,`.
    static func secrets(_ text: String) -> [String] {
        let comma = "\u{0}"
        return list(text.replacing("\\,", with: comma)).map { $0.replacing(comma, with: ",") }
    }

    static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    /// `250ms`, `30s`, `5m`, `48h`, `7d`. A bare number is refused: its unit would be a guess.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let amount = Int64(digits), amount <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(amount)
        case "s": return .seconds(amount)
        case "m": return .seconds(amount * 60)
        case "h": return .seconds(amount * 3_600)
        case "d": return .seconds(amount * 86_400)
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

    /// `10485760`, `10240KiB`, `10MiB`, `1GiB`; `kB`, `MB`, `GB` are powers of ten.
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

    /// An http or https URL without user, query, fragment and closing slash.
    static func webURL(_ text: String) -> URL? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        return parts.url
    }

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

    /// `+49` and `49` → `49`; `de` → `DE`.
    static func country(_ text: String) -> String? {
        if text.utf8.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) { return text.uppercased() }
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isCode =
            (1...4).contains(digits.count) && digits.first != "0"
            && digits.allSatisfy { $0.isASCII && $0.isNumber }
        return isCode ? String(digits) : nil
    }

    /// - Parameter country: As `country` gives it.
    private static func isKnownCountry(_ country: String) -> Bool {
        Int(country).map(PhoneCountries.hasCallingCode) ?? PhoneCountries.hasRegion(country)
    }

    /// Names an entry by its place: it holds a code.
    static func reviewersComplaint(_ text: String, now: Date = Date()) -> String? {
        for (index, entry) in list(text).enumerated() {
            guard let reviewer = ReviewNumber(entry) else {
                return
                    "has an entry (number \(index + 1)) that does not look like +14155550199=123456@2026-12-31: "
                    + "a number, its code of six digits, the last day"
            }
            guard reviewer.end.timeIntervalSince(now) <= Double(ReviewNumber.maxDays + 1) * 86_400 else {
                return
                    "has an entry (number \(index + 1)) that ends more than \(ReviewNumber.maxDays) days from now"
            }
        }
        return nil
    }
}
