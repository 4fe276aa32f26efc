import Synchronization

/// One metric: its kind, and its series by labels.
final class MetricFamily: Sendable {
    enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    let name: String
    private let kind: Kind
    private let help: String
    private let maxSeries: Int
    /// The series by their labels in text form: `route="/healthz",status="200"`.
    private let members = Mutex<[String: any MetricSeries]>([:])

    init(name: String, kind: Kind, help: String, maxSeries: Int) {
        self.name = name
        self.kind = kind
        self.help = help
        self.maxSeries = maxSeries
    }

    /// The series of these labels; nil when the family is of another kind.
    func series<S: MetricSeries>(labels: [(String, String)], make: () -> S) -> S? {
        let key = PrometheusText.labels(labels)
        return members.withLock { members in
            if let known = members[key] { return known as? S }
            var key = key
            if members.count >= maxSeries {
                key = PrometheusText.labels(labels.map { ($0.0, "other") })
                if let known = members[key] { return known as? S }
            }
            let new = make()
            guard members.isEmpty || members.values.first is S else { return nil }
            members[key] = new
            return new
        }
    }

    func write(to text: inout String) {
        let members = members.withLock { $0.sorted { $0.key < $1.key } }
        text += "# HELP \(name) \(PrometheusText.escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, series) in members { series.write(name: name, labels: labels, to: &text) }
    }
}

/// The values under one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    func write(name: String, labels: String, to text: inout String)
}
