import DaylyClient
import Testing

@Suite("Transport headers")
struct TransportHeaderTests {
    @Test("the case of a name does not count")
    func names() {
        var headers: TransportHeaders = ["Content-Type": "a"]
        headers["content-TYPE"] = "b"
        #expect(headers["CONTENT-type"] == "b")
        #expect(headers.all.map(\.name) == ["content-type"])
    }
}
