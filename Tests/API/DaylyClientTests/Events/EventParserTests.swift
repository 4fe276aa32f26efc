import Testing

@testable import DaylyClient

@Suite("Server-Sent Events")
struct EventParserTests {
    private func messages(_ text: String) -> [EventParser.Message] {
        var parser = EventParser()
        return parser.push(text.utf8)
    }

    private func message(
        _ data: String, _ name: String = "message", hasID: Bool = false
    ) -> EventParser.Message {
        EventParser.Message(name: name, data: data, hasID: hasID)
    }

    @Test("the examples of the standard")
    func standard() {
        #expect(messages("data: YHOO\ndata: +2\ndata: 10\n\n") == [message("YHOO\n+2\n10")])
        #expect(
            messages(
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
            )
                == [
                    message("first event", hasID: true), message("second event", hasID: true),
                    message(" third event"),
                ])
        #expect(messages("data\n\ndata\ndata\n\ndata:") == [message(""), message("\n")])
        #expect(messages("data:test\n\ndata: test\n\n") == [message("test"), message("test")])
        #expect(messages("event: add\ndata: 7\n\ndata: 8\n\n") == [message("7", "add"), message("8")])
    }

    /// Guard: a CR at the end of a piece and a LF at the beginning of the next are one end of line
    /// (`EventParser.push`)
    @Test("the pieces may end anywhere, for each end of line")
    func pieces() {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["event: photo.created", "id: é1", "data: {\"a\":", "data: \"ü\"}", "", ""]
                .joined(separator: end)
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                var parser = EventParser()
                let found = parser.push(bytes[..<cut]) + parser.push(bytes[cut...])
                #expect(
                    found == [message("{\"a\":\n\"ü\"}", "photo.created", hasID: true)],
                    "\(end.debugDescription) \(cut)")
                #expect(parser.lastEventID == "é1")
            }
        }
    }

    /// Guard: an id counts when its event is complete (`EventParser.dispatch`)
    @Test("an id counts when its event is complete")
    func cutOff() {
        var parser = EventParser()
        _ = parser.push("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8)
        #expect(parser.lastEventID == "1")
        #expect(parser.push("\n".utf8) == [message("b", hasID: true)])
        #expect(parser.lastEventID == "2")
    }

    @Test("an id without data moves the cursor, and one with NUL does not count")
    func ids() {
        var parser = EventParser()
        #expect(parser.push("id: 5\n\n".utf8).isEmpty)
        #expect(parser.lastEventID == "5")
        _ = parser.push("id: 6\0\ndata: x\n\n".utf8)
        #expect(parser.lastEventID == "5")
    }

    @Test("the byte order mark and unknown fields are ignored, and the name ends with its event")
    func ignored() {
        #expect(messages("\u{FEFF}data: a\nfoo: bar\n\n") == [message("a")])
        #expect(messages("event: x\n\ndata: a\n\n") == [message("a")])
        #expect(messages("data:\u{301}a\n\n") == [message("\u{301}a")], "a colon joined with an accent")
    }

    @Test("retry takes digits only")
    func retry() {
        var parser = EventParser()
        _ = parser.push("retry: 1500\n".utf8)
        #expect(parser.retry == .milliseconds(1500))
        _ = parser.push("retry: 3s\nretry:\nretry: -1\n".utf8)
        #expect(parser.retry == .milliseconds(1500))
    }
}
