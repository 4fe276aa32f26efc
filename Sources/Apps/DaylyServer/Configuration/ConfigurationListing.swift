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
