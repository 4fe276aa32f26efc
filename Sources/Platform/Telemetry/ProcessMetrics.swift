import Foundation

/// The kernel's figures about this process, under the usual names of Prometheus clients. They come from Linux' `/proc`; on
/// other systems there are none.
package enum ProcessMetrics {
    /// Text to append to `PrometheusRegistry.render()`.
    package static func render() -> String {
        var text = ""
        func add(_ name: String, _ kind: String, _ help: String, _ value: Double?) {
            guard let value else { return }
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            text += PrometheusText.line(name, "", PrometheusText.number(value))
        }
        let stat = Stat()
        add("process_cpu_seconds_total", "counter", "User and system CPU time, in seconds.", stat?.cpuSeconds)
        add("process_max_fds", "gauge", "The most file descriptors that may be open.", maxFileDescriptors)
        add("process_open_fds", "gauge", "Open file descriptors.", openFileDescriptors)
        add("process_resident_memory_bytes", "gauge", "Resident memory, in bytes.", stat?.residentBytes)
        add("process_start_time_seconds", "gauge", "When the process started, in Unix time.", stat?.startTime)
        add("process_threads", "gauge", "Threads.", stat?.threads)
        return text
    }

    private static var openFileDescriptors: Double? {
        // One of the entries is the descriptor that reads this folder.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static var maxFileDescriptors: Double? {
        #if os(Linux)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
        #else
        return nil
        #endif
    }

    /// `/proc/self/stat` (proc(5)), counted from the field behind the command's closing parenthesis.
    private struct Stat {
        let cpuSeconds: Double
        let threads: Double
        let startTime: Double?
        let residentBytes: Double

        init?() {
            guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
                let parenthesis = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[parenthesis...].split(separator: " ").dropFirst().compactMap { Double($0) }
            // `compactMap` has dropped the state, which is a letter, so fields[0] is ppid, number 4 in proc(5).
            guard fields.count > 20 else { return nil }
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            cpuSeconds = (fields[10] + fields[11]) / ticks
            threads = fields[16]
            startTime = Self.bootTime.map { $0 + fields[18] / ticks }
            residentBytes = fields[20] * Double(sysconf(Int32(_SC_PAGESIZE)))
        }

        private static var bootTime: Double? {
            let lines = try? String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n")
            return lines?.first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
        }
    }
}
