import NIOCore
import Testing

@testable import HTTPKit

@Suite("multipart/form-data")
struct MultipartTests {
    private func file(
        _ body: String, _ contentType: String = "multipart/form-data; boundary=XX"
    ) throws -> MultipartFile {
        try MultipartFile(body: ByteBuffer(string: body), contentType: contentType)
    }

    private func part(_ content: String, name: String = "file", extra: String = "") -> String {
        "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"../../etc/passwd\"\r\n\(extra)\r\n\(content)\r\n"
    }

    @Test("the file part is found between others, with its type and its exact bytes")
    func good() throws {
        let content = "\r\n--X\r\n--XXY\r\n\u{0}\r\n-"
        let body =
            "preamble\r\n" + part("1", name: "caption") + part(content, extra: "Content-Type: image/png\r\n")
            + part("", name: "empty") + "--XX--\r\nepilogue"
        let file = try file(body)
        #expect(String(buffer: file.bytes) == content)
        #expect(file.contentType == "image/png")
    }

    @Test("blanks behind the boundary, an empty part, a quoted boundary and an unquoted name are accepted")
    func tolerant() throws {
        #expect(
            try file("--XX \t\r\nContent-Disposition:form-data;name=file\r\n\r\n\r\n--XX--").bytes
                .readableBytes == 0)
        #expect(
            try file("--XX\r\nContent-Disposition: form-data; name=file\r\n\r\n--XX--").bytes.readableBytes
                == 0)
        let quoted = "--a b\r\nContent-Disposition: form-data; name=\"f\\ile\"\r\n\r\nx\r\n--a b--"
        #expect(
            String(buffer: try file(quoted, #"Multipart/Form-Data; charset=x; boundary="a b""#).bytes) == "x")
    }

    @Test("the bytes are a slice of the body, not a copy")
    func noCopy() throws {
        let body = ByteBuffer(string: part(String(repeating: "x", count: 1 << 20)) + "--XX--")
        let file = try MultipartFile(body: body, contentType: "multipart/form-data; boundary=XX")
        let outer = body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        let inner = file.bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(inner > outer && inner < outer + UInt(body.readableBytes))
    }

    @Test(
        "a type without a valid boundary is refused",
        arguments: [
            "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"XX",
            "multipart/form-data; boundary=XX; boundary=YY", "multipart/form-data; boundary=\"X\u{e9}\"",
            "multipart/form-data; boundary=\"XX \"", "multipart/mixed; boundary=XX", "image/jpeg",
            "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
        ])
    func boundary(type: String) {
        #expect(throws: Problem.self) { try file(part("x") + "--XX--", type) }
    }

    /// Guard: at most 20 parts, one file, small part headers (HTTPKit `MultipartFile`,
    /// `MultipartScanner.header`)
    @Test("malformed bodies are 400")
    func bad() {
        let bodies = [
            "", "x", "--XX", "--XX--", "--YY\r\n\r\n--YY--",
            part("x"),  // no end
            part("x") + part("y") + "--XX--",  // two files
            part("x", name: "photo") + "--XX--",  // no file
            "--XX\r\n\r\nx\r\n--XX--",  // no name
            "--XX\r\nContent-Disposition: attachment; name=file\r\n\r\nx\r\n--XX--",
            "--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--",
            "--XX\r\nno colon\r\n\r\nx\r\n--XX--",
            "--XX\r\nContent-Disposition: form-data; name=file\r\n folded\r\n\r\nx\r\n--XX--",
            part("x", extra: "Content-Transfer-Encoding: base64\r\n") + "--XX--",
            part("x", extra: "X: \(String(repeating: "y", count: 5_000))\r\n") + "--XX--",
            part("x", extra: String(repeating: "X: y\r\n", count: 12)) + "--XX--",
            part(String(repeating: "z", count: 70_000), name: "note") + part("x") + "--XX--",
        ]
        for body in bodies {
            #expect(throws: Problem.self, "\(body.prefix(80))") { try file(body) }
        }
    }

    /// Guard: at most 20 parts, one file, small part headers (HTTPKit `MultipartFile`,
    /// `MultipartScanner.header`)
    @Test("20 parts are accepted, 21 and 10,000 are not")
    func parts() throws {
        func body(_ count: Int) -> String {
            String(repeating: part("1", name: "n"), count: count - 1) + part("x") + "--XX--"
        }
        #expect(String(buffer: try file(body(20)).bytes) == "x")
        #expect(throws: Problem.self) { try file(body(21)) }
        #expect(throws: Problem.self) { try file(body(10_000)) }
    }

    @Test("a body that is truncated anywhere is refused")
    func truncated() throws {
        let whole = part("1", name: "caption") + part("photo") + "--XX--"
        #expect(throws: Never.self) { try file(whole) }
        for length in 0..<whole.utf8.count {
            #expect(throws: Problem.self) {
                try file(String(decoding: whole.utf8.prefix(length), as: UTF8.self))
            }
        }
    }
}
