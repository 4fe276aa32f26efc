import CoreMetrics
import Testing

@testable import Telemetry

@Suite("Prometheus text")
struct PrometheusRegistryTests {
    let registry = PrometheusRegistry(
        maxSeries: 3, buckets: ["t": [0.1, 1]], help: ["jobs": "Jobs\\done\nso far"])

    @Test("a counter is written as a total with its labels in order")
    func counter() {
        Counter(label: "jobs_total", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment(by: 2)
        Counter(label: "jobs_total", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment()
        #expect(
            registry.render() == """
                # HELP jobs_total jobs total
                # TYPE jobs_total counter
                jobs_total{a="1",b="2"} 3

                """)
    }

    /// Guard: a counter never falls (Telemetry `CounterSeries.increment`)
    @Test("a counter's name gets _total, and never falls")
    func totals() {
        let counter = Counter(label: "jobs", factory: registry)
        counter.increment(by: 4)
        counter.increment(by: -3)
        #expect(registry.render().contains("\njobs_total 4\n"))
        counter.increment(by: Int64.max)
        #expect(registry.render().contains("\njobs_total 9223372036854775807\n"))
    }

    @Test("gauges and meters go up and down")
    func gauges() {
        Gauge(label: "depth", factory: registry).record(12)
        let meter = Meter(label: "load", factory: registry)
        meter.increment(by: 2.5)
        meter.decrement(by: 1)
        let text = registry.render()
        #expect(text.contains("# TYPE depth gauge\ndepth 12\n"))
        #expect(text.contains("# TYPE load gauge\nload 1.5\n"))
    }

    @Test("a timer is a histogram in seconds, cumulative, with +Inf, sum and count")
    func timer() {
        let timer = Timer(label: "t", dimensions: [("route", "/x")], factory: registry)
        timer.recordSeconds(0.05)
        timer.recordMilliseconds(100)
        timer.recordSeconds(0.5)
        timer.recordSeconds(7)
        #expect(
            registry.render() == """
                # HELP t t
                # TYPE t histogram
                t_bucket{route="/x",le="0.1"} 2
                t_bucket{route="/x",le="1"} 3
                t_bucket{route="/x",le="+Inf"} 4
                t_sum{route="/x"} 7.65
                t_count{route="/x"} 4

                """)
    }

    @Test("names, label values and help are made fit for the format")
    func escaping() {
        Counter(label: "9-lives", dimensions: [("le", "a\"b\\c\nd")], factory: registry).increment()
        Gauge(label: "jobs", factory: registry).record(1)
        let text = registry.render()
        #expect(text.contains(#"_9_lives_total{label_le="a\"b\\c\nd"} 1"#))
        #expect(text.contains(#"# HELP jobs Jobs\\done\nso far"#))
    }

    /// Guard: label sets are bounded (Telemetry `MetricFamily.series`)
    @Test("past the limit, new label sets are counted under other")
    func cardinality() {
        for route in 0..<50 {
            Counter(label: "hits", dimensions: [("route", "/\(route)")], factory: registry).increment()
        }
        let lines = registry.render().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count == 4)
        #expect(lines.contains(#"hits_total{route="other"} 47"#))
    }

    @Test("a name that is of another kind already changes nothing")
    func conflict() {
        Gauge(label: "x", factory: registry).record(1)
        Timer(label: "x", factory: registry).recordSeconds(5)
        #expect(registry.render() == "# HELP x x\n# TYPE x gauge\nx 1\n")
    }

    @Test("eight tasks at once lose nothing")
    func concurrency() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [registry] in
                    for _ in 0..<5_000 {
                        Counter(label: "n", factory: registry).increment()
                        Timer(label: "t", factory: registry).recordSeconds(0.5)
                    }
                }
            }
        }
        let text = registry.render()
        #expect(text.contains("n_total 40000\n"))
        #expect(text.contains("t_count 40000\n"))
    }

    @Test("the process's own metrics are there and sane")
    func process() throws {
        let text = ProcessMetrics.render()
        func value(_ name: String) throws -> Double {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") })
            return try #require(Double(line.dropFirst(name.count + 1)))
        }
        #expect(try value("process_resident_memory_bytes") > 1_000_000)
        #expect(try value("process_open_fds") > 2)
        #expect(try value("process_start_time_seconds") > 1_600_000_000)
        #expect(text.contains("# TYPE process_cpu_seconds_total counter\n"))
    }
}
