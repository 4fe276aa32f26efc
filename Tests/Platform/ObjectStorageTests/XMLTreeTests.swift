import Testing

@testable import ObjectStorage

@Suite("The XML of S3")
struct XMLTreeTests {
    @Test("reads elements, text, entities, CDATA and prefixes")
    func reads() throws {
        let tree = try #require(
            XMLTree(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- a > comment --><s3:Result xmlns:s3='http://x/' n="a>b"><Key>a&amp;b&lt;&#x1F600;&#233;</Key>
                <Key><![CDATA[<raw> & co]]></Key><Empty/><Empty a="1" /></s3:Result>
                """.utf8))
        #expect(tree.name == "Result")
        #expect(tree.all("Key").map(\.text) == ["a&b<😀é", "<raw> & co"])
        #expect(tree["Empty"] == "")
        #expect(tree["Missing"] == nil)
    }

    @Test(
        "a text that is not one whole element is refused",
        arguments: [
            "", "text", "<a>", "<a><b></a>", "<a></b>", "<a></a><b></b>", "<a></a>x", "<a",
            "<a>&unknown;</a>",
            "<a>&amp</a>", "<!DOCTYPE html><html></html>", "<a b></a>", "<a b=\"1></a>", "<a><![CDATA[x</a>",
            "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<html><body><br></body></html>", "<a>&#xD800;</a>",
            String(repeating: "<a>", count: 5_000),
            String(repeating: "<a>", count: 20) + String(repeating: "</a>", count: 20),
        ])
    func refuses(text: String) {
        #expect(XMLTree(text.utf8) == nil)
    }

    @Test("every truncation of a listing is noticed")
    func truncated() throws {
        let text = Array("<R><C><Key>a&amp;b</Key><Size>1</Size></C></R>".utf8)
        for count in 0..<text.count { #expect(XMLTree(text.prefix(count)) == nil) }
        #expect(XMLTree(text) != nil)
    }

    @Test("text that is not UTF-8 makes it unreadable")
    func invalidText() {
        #expect(XMLTree([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E] as [UInt8]) == nil)
    }

    @Test("ISO 8601 dates of listings")
    func dates() {
        #expect(UTCTime.parseISO8601("2009-10-12T17:50:30.000Z")?.timeIntervalSince1970 == 1_255_369_830)
        #expect(UTCTime.parseISO8601("2009-10-12T17:50:30Z")?.timeIntervalSince1970 == 1_255_369_830)
        #expect(UTCTime.parseISO8601("2000-02-29T00:00:00Z")?.timeIntervalSince1970 == 951_782_400)
        #expect(UTCTime.parseISO8601("2009-13-12T17:50:30Z") == nil)
        #expect(UTCTime.parseISO8601("2009-10-12") == nil)
    }
}
