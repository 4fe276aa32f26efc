import Auth
import Foundation

/// What `dayly config` shows: every setting, what it is, and where that comes from. Holds no secret.
package struct ConfigurationListing: Sendable {
    package struct Row: Sendable, Encodable, Equatable {
        package let key: String
        package let variable: String
        /// Masked where it is secret; nil where nothing is set.
        package let value: String?
        package let source: String
    }

    package let rows: [Row]

    package init(values: SettingValues) {
        rows = Setting.allCases.map { setting in
            Row(
                key: setting.key, variable: setting.variable,
                value: values.text(setting).map { Masking.shown($0, of: setting) },
                source: values.source(setting).rawValue)
        }
    }

    /// A table: key, value, source.
    package var text: String {
        let keyWidth = rows.map(\.key.count).max() ?? 0
        let shown = rows.map { $0.value ?? "-" }
        let valueWidth = min(60, shown.map(\.count).max() ?? 0)
        return zip(rows, shown).map { row, value in
            let source = row.value == nil ? "" : row.source
            return pad(row.key, keyWidth) + "  " + pad(value, valueWidth) + "  " + source
        }.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// Keeps secrets out of what is shown.
enum Masking {
    static let mask = "****"

    static func shown(_ text: String, of setting: Setting) -> String {
        if setting.isSecret { return "\(mask) (\(text.utf8.count) bytes)" }
        switch setting {
        case .databaseURL, .databaseDirectURL: return databaseURL(text)
        case .authReviewers:
            return SettingKind.list(text).map { ReviewNumber($0)?.masked ?? mask }.joined(separator: ",")
        default:
            if case .webURL = setting.kind { return webURL(text) }
            return text
        }
    }

    /// A libpq URL without passwords: in the authority and among the parameters. Rather too much is masked than
    /// too little: whatever lies between the user's colon and the last @.
    static func databaseURL(_ text: String) -> String {
        var result = text
        if let scheme = result.range(of: "://"), let at = result.lastIndex(of: "@"),
            let colon = result[scheme.upperBound...].firstIndex(of: ":"), colon < at
        {
            result.replaceSubrange(result.index(after: colon)..<at, with: mask)
        }
        return result.replacingOccurrences(
            of: #"(?i)([?&\s][a-z]*password=)[^&\s]*"#, with: "$1\(mask)", options: .regularExpression)
    }

    /// A query may hold a gateway's key.
    private static func webURL(_ text: String) -> String {
        guard let query = text.firstIndex(of: "?") else { return text }
        return text[...query] + mask
    }
}
