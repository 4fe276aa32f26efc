/// The text format's grammar: names, labels, escapes, numbers.
enum PrometheusText {
    static func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Sorted by name, so that the same labels in another order are the same series.
    static func labels(_ dimensions: [(String, String)]) -> String {
        var seen: Set<String> = []
        return
            dimensions
            .map { (labelName($0.0), $0.1) }
            .filter { seen.insert($0.0).inserted }
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\(escapedValue($0.1))\"" }
            .joined(separator: ",")
    }

    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func metricName(_ name: String) -> String {
        identifier(name, extra: ":")
    }

    /// `[a-zA-Z_][a-zA-Z0-9_]*`. Histograms reserve `le`, and Prometheus reserves names that begin with `__`.
    static func labelName(_ name: String) -> String {
        let safe = identifier(name, extra: "")
        return safe == "le" || safe.hasPrefix("__") ? "label_\(safe)" : safe
    }

    private static func identifier(_ name: String, extra: String) -> String {
        let safe = String(
            name.unicodeScalars.map { scalar -> Character in
                let allowed =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
                        || extra.unicodeScalars.contains(scalar))
                return allowed ? Character(scalar) : "_"
            })
        guard let first = safe.first, !("0"..."9").contains(first) else { return "_" + safe }
        return safe
    }

    static func escapedValue(_ value: String) -> String {
        escaped(value, quote: true)
    }

    static func escapedHelp(_ help: String) -> String {
        escaped(help, quote: false)
    }

    private static func escaped(_ text: String, quote: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quote: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        // Whole numbers without a fraction: 12 instead of 12.0.
        if let whole = Int64(exactly: value) { return String(whole) }
        return "\(value)"
    }

    /// `dayly_http_requests_total` → `dayly http requests total`.
    static func words(of name: String) -> String {
        name.replacing("_", with: " ")
    }
}
