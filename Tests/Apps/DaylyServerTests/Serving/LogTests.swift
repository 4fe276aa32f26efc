import Foundation
import Logging
import Synchronization
import Testing

@testable import DaylyServer

/// Guard: logged text cannot end a line or forge a field (`LogRecord`)
@Suite("Log lines")
struct LogTests {
    private func lines(
        _ format: LogSettings.Format, level: Logger.Level = .info, _ body: (inout Logger) -> Void
    ) -> [String] {
        let lines = LineCollector()
        var logger = Logger(label: "dayly.test") { label in
            LineLogHandler(label: label, level: level, format: format) { lines.append($0) }
        }
        body(&logger)
        return lines.all
    }

    @Test("JSON: one object per line, with request_id and metadata")
    func json() throws {
        let all = lines(.json) { logger in
            logger[metadataKey: "request_id"] = "abc"
            logger.info("request", metadata: ["status": "200", "list": ["a", "b"], "map": ["k": "v"]])
            logger.debug("not at this level")
        }
        #expect(all.count == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data((all.first ?? "").utf8)) as? [String: Any])
        #expect(object["level"] as? String == "info")
        #expect(object["message"] as? String == "request")
        #expect(object["request_id"] as? String == "abc")
        #expect(object["status"] as? String == "200")
        #expect(object["list"] as? [String] == ["a", "b"])
        #expect(object["map"] as? [String: String] == ["k": "v"])
        #expect((object["time"] as? String)?.hasSuffix("Z") == true)
    }

    /// Guard: numbers are numbers in JSON logs (`LogRecord.literal`)
    @Test("JSON: numbers and truth values are not quoted")
    func numbers() throws {
        let all = lines(.json) { logger in
            logger.info(
                "request",
                metadata: [
                    "status": .stringConvertible(200), "seconds": .stringConvertible(0.25),
                    "is_new": .stringConvertible(true), "nothing": .stringConvertible(Double.nan),
                    "id": .stringConvertible(UUID().uuidString), "text": "12",
                ])
        }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data((all.first ?? "").utf8)) as? [String: Any])
        #expect(object["status"] as? Int == 200 && object["status"] as? String == nil)
        #expect(object["seconds"] as? Double == 0.25)
        #expect(all.first?.contains(#""is_new":true"#) == true)
        #expect(object["nothing"] as? String == "nan")
        #expect(object["text"] as? String == "12")
    }

    @Test("no logged text can end a line or forge a field")
    func hostile() throws {
        let hostile = "a\"b\\c\nd\r\u{0}\u{1b}[31m\u{2028}\u{85}é😀"
        let json = lines(.json) {
            $0.info("\(hostile)", metadata: ["message": "\(hostile)", "k": "\(hostile)"])
        }
        #expect(json.count == 1)
        let line = json.first ?? ""
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 || $0.value == 0x85 })
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(object["message"] == hostile)
        #expect(object["metadata_message"] == hostile)
        #expect(object["k"] == hostile)
        let text = lines(.text) { $0.info("\(hostile)", metadata: ["k": "\(hostile)"]) }
        #expect(!(text.first ?? "").contains("\u{1b}"))
        #expect((text.first ?? "").split(separator: "\n").count == 2)
    }

    @Test("text: time, level, message, metadata")
    func text() {
        let all = lines(.text) { $0.warning("careful", metadata: ["b": "2", "a": "1"]) }
        #expect(all.first?.hasSuffix("WARNING  careful  a=1  b=2") == true)
    }
}

private final class LineCollector: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
