import DaylyAPI
import Foundation
import NIOCore

/// A message that writes its own JSON, because clients ask for it so often that `JSONEncoder` is a large part of the
/// answer's cost. It writes the same bytes as the encoder of `WireJSON`: the members sorted by name.
protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

/// Writes JSON (RFC 8259) into a buffer.
struct JSONWriter {
    private(set) var buffer: ByteBuffer
    private var needsComma = false

    init(capacity: Int) {
        buffer = ByteBufferAllocator().buffer(capacity: capacity)
    }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        begin("{")
        members(&self)
        end("}")
    }

    mutating func array(_ elements: [some JSONWritable]) {
        array { json in
            for element in elements { element.write(to: &json) }
        }
    }

    mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        begin("[")
        try elements(&self)
        end("]")
    }

    /// The name of the next value, which needs no escapes.
    mutating func name(_ name: StaticString) {
        name.withUTF8Buffer { quoted($0, isName: true) }
    }

    mutating func object(_ members: [String: JSONValue]) {
        object { json in
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                json.string(name, isName: true)
                value.write(to: &json)
            }
        }
    }

    mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        string(text)
    }

    mutating func member(_ name: StaticString, _ number: Int) {
        self.name(name)
        literal(String(number))
    }

    mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        literal(flag ? "true" : "false")
    }

    mutating func member(_ name: StaticString, _ id: ResourceID) {
        member(name, id.description)
    }

    mutating func member(_ name: StaticString, _ date: Date) {
        member(name, WireJSON.timestamp(date))
    }

    mutating func member(_ name: StaticString, _ date: Nullable<Date>) {
        guard let date = date.wrappedValue else { return null(name) }
        member(name, date)
    }

    mutating func member(_ name: StaticString, _ text: Nullable<String>) {
        guard let text = text.wrappedValue else { return null(name) }
        member(name, text)
    }

    private mutating func null(_ name: StaticString) {
        self.name(name)
        literal("null")
    }

    mutating func member(_ name: StaticString, _ elements: [some JSONWritable]) {
        self.name(name)
        array(elements)
    }

    /// - Parameter isName: the text is the name of the next value.
    mutating func string(_ text: String, isName: Bool = false) {
        var text = text
        text.withUTF8 { bytes in
            if Self.isPlain(bytes) { return quoted(bytes, isName: isName) }
            var escaped = ByteBuffer()
            for byte in bytes { Self.escape(byte, into: &escaped) }
            escaped.withUnsafeReadableBytes { bytes in
                quoted(bytes.bindMemory(to: UInt8.self), isName: isName)
            }
        }
    }

    /// Whether the text needs no escapes. The loop has no exit, so that the compiler looks at many bytes at a time.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var special: UInt8 = 0
        for byte in bytes {
            special |= byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return special == 0
    }

    /// Writes a comma where one is needed, and the text between quotes, in one piece.
    private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, isName: Bool) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: text.count + 4) { [needsComma] space in
            var end = 0
            func write(_ mark: Unicode.Scalar) {
                space[end] = UInt8(ascii: mark)
                end += 1
            }
            if needsComma { write(",") }
            write("\"")
            UnsafeMutableRawBufferPointer(rebasing: space[end...]).copyBytes(from: text)
            end += text.count
            write("\"")
            if isName { write(":") }
            return end
        }
        needsComma = !isName
    }

    private static func escape(_ byte: UInt8, into buffer: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): buffer.writeStaticString(#"\""#)
        case UInt8(ascii: "\\"): buffer.writeStaticString(#"\\"#)
        case 0x08: buffer.writeStaticString(#"\b"#)
        case 0x09: buffer.writeStaticString(#"\t"#)
        case 0x0A: buffer.writeStaticString(#"\n"#)
        case 0x0C: buffer.writeStaticString(#"\f"#)
        case 0x0D: buffer.writeStaticString(#"\r"#)
        case 0..<0x20:
            buffer.writeStaticString(byte < 0x10 ? #"\u000"# : #"\u00"#)
            buffer.writeString(String(byte, radix: 16))
        default: buffer.writeInteger(byte)
        }
    }

    mutating func literal(_ text: String) {
        separate()
        buffer.writeString(text)
    }

    private mutating func begin(_ mark: StaticString) {
        separate()
        buffer.writeStaticString(mark)
        needsComma = false
    }

    private mutating func end(_ mark: StaticString) {
        buffer.writeStaticString(mark)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension ResourceID: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(description) }
}

extension User: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("created_at", createdAt)
            json.member("discoverable", discoverable)
            json.member("first_name", Nullable(wrappedValue: firstName))
            json.member("id", id)
            json.member("phone_number", phoneNumber)
            json.member("quiet_from", Nullable(wrappedValue: quietFrom))
            json.member("quiet_to", Nullable(wrappedValue: quietTo))
            json.member("time_zone", timeZone)
        }
    }
}

extension Photo: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("created_at", createdAt)
            json.member("expires_at", expiresAt)
            json.member("group_id", groupID)
            json.member("height", height)
            json.member("id", id)
            json.member("sender_id", senderID)
            json.member("sender_name", senderName)
            json.member("thumbhash", thumbhash)
            json.member("thumbnail_url", thumbnailURL)
            json.member("url", url)
            json.member("url_expires_at", urlExpiresAt)
            json.member("width", width)
        }
    }
}

extension PhotoFeed: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("cursor", cursor)
            json.member("photos", photos)
            json.member("removed", removed)
        }
    }
}

extension Member: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("first_name", Nullable(wrappedValue: firstName))
            json.member("id", id)
            json.member("joined_at", joinedAt)
        }
    }
}

extension PhotoGroup: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("created_at", createdAt)
            json.member("has_sent_today", hasSentToday)
            json.member("id", id)
            json.member("last_photo_at", Nullable(wrappedValue: lastPhotoAt))
            json.member("member_count", memberCount)
            json.member("members", members)
            json.member("muted", muted)
            json.member("name", name)
            json.member("next_send_at", Nullable(wrappedValue: nextSendAt))
        }
    }
}

extension GroupList: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { $0.member("groups", groups) }
    }
}
