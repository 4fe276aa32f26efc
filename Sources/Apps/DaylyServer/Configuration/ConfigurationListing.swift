import Settings

/// The output of `dayly config`: every setting, its value and where the value comes from, without secrets.
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
        rows = values.declared.map { setting in
            let entry = values[setting.key]
            return Row(
                key: setting.key, variable: setting.variable, value: entry.map { setting.shown($0.text) },
                source: (entry?.origin ?? .fallback).rawValue)
        }
    }

    /// A table: key, value, source.
    package var text: String {
        let keyWidth = rows.map(\.key.count).max() ?? 0
        let shown = rows.map { $0.value ?? "-" }
        let valueWidth = min(60, shown.map(\.count).max() ?? 0)
        return zip(rows, shown).map { row, value in
            let source = row.value == nil ? "" : row.source
            return "\(pad(row.key, keyWidth))  \(pad(value, valueWidth))  \(source)"
        }.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The page `docs/configuration.md` without its last line feed: a table for each section.
    package static var markdown: String {
        let declared = ServerConfiguration.declared
        let sections = declared.map(\.section).reduce(into: [String]()) { sections, section in
            if !sections.contains(section) { sections.append(section) }
        }
        let tables = sections.map { section in
            let rows = declared.filter { $0.section == section }.map {
                "| `\($0.key)` | `\($0.variable)` | \($0.fallback.shown) | \($0.meaning) |"
            }
            return """
                ## \(section.isEmpty ? "General" : section)

                | key | variable | default | meaning |
                | --- | --- | --- | --- |
                \(rows.joined(separator: "\n"))
                """
        }
        return ([introduction] + tables).joined(separator: "\n\n")
    }

    private static let introduction = """
        # Configuration

        <!-- Written by `dayly config --markdown`; a test compares the two. -->

        Each setting has a key in a file and an environment variable. The environment wins over the file, and the
        file over the default. `--config FILE` names a YAML or JSON file; its keys may be nested (`http:` with
        `port:` below it) or dotted (`http.port:`). Of several files the later one wins. Without `--config`, the
        command of the Debian package reads `/etc/dayly/dayly.yaml` and `/etc/dayly/secrets.yaml`. An empty value
        counts as not given. `dayly config` shows the values in force and where each comes from.

        Durations are written `250ms`, `30s`, `5m`, `48h` or `7d`, sizes `10485760`, `512KiB` or `10MiB`. Lists are
        separated by commas; in a file they may be lists.
        """
}
