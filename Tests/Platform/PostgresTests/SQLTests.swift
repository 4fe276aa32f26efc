import Foundation
import Testing

@testable import Postgres

@Suite("SQL by interpolation")
struct SQLTests {
    @Test("every value becomes a numbered parameter of its type")
    func numbersBinds() {
        let name: String? = nil
        let sql: SQL = "SELECT \(1) WHERE a = \("x'; DROP TABLE users") AND b = \(name) AND c = \(true)"
        #expect(sql.text == "SELECT $1 WHERE a = $2 AND b = $3 AND c = $4")
        #expect(sql.binds.map(\.type) == [.int8, .text, .text, .bool])
        #expect(
            sql.binds.map(\.value) == [.text("1"), .text("x'; DROP TABLE users"), .null, .text("t")])
    }

    @Test("a spliced fragment keeps its parameters, in order")
    func splices() {
        let condition: SQL = "b = \(2) OR c = \(3)"
        let sql: SQL = "a = \(1) AND (\(fragment: condition)) AND d = \(4)"
        #expect(sql.text == "a = $1 AND (b = $2 OR c = $3) AND d = $4")
        #expect(sql.binds.map(\.value) == [.text("1"), .text("2"), .text("3"), .text("4")])
    }

    @Test("fragments are joined, none to nothing")
    func joins() {
        let fragments: [SQL] = ["a = \(1)", "b", "c = \(2)"]
        #expect(SQL.joined(fragments, by: " AND ").text == "a = $1 AND b AND c = $2")
        #expect(SQL.joined([], by: ", ").text == "")
    }

    @Test("an identifier is quoted")
    func quotesIdentifiers() {
        let sql: SQL = "LISTEN \(identifier: "a\"; DROP TABLE b; --")"
        #expect(sql.text == "LISTEN \"a\"\"; DROP TABLE b; --\"")
    }

    @Test("an array is one parameter, bytes are bytea, a typed id is its raw value")
    func arrays() throws {
        struct UserID: RawRepresentable, Hashable, PostgresCodable { let rawValue: UUID }
        let id = UserID(rawValue: UUID())
        let sql: SQL = "\([id]) \([UInt8]([0, 255])) \(["a", "b\"\\,{}"]) \([Int?.some(1), nil])"
        #expect(sql.binds.map(\.type) == [.uuidArray, .bytea, .textArray, .int8Array])
        #expect(
            sql.binds.map(\.value) == [
                .text("{\"\(id.rawValue.uuidString.lowercased())\"}"), .binary([0, 255]),
                .text(#"{"a","b\"\\,{}"}"#), .text(#"{"1",NULL}"#),
            ])
    }

    /// Guard: a NUL is refused before it reaches the server (`PostgresValue`, `PostgresConnection`)
    @Test("a NUL in a text is refused wherever it stands")
    func refusesNUL() {
        struct Note: Codable { let text: String }
        let sql: SQL = """
            \("a\0") \(["b", "c\0d"]) \(JSONB(Note(text: "\0"))) \(JSONB(Note(text: #"\u0000"#))) \
            \(JSONB(["a\0": 1]))
            """
        let refused = sql.binds.map { $0.value == .refused(.nulInText) }
        #expect(refused == [true, true, true, false, true])
    }

    @Test("text formats read what PostgreSQL writes")
    func readsArrays() {
        #expect(ArrayText.decode("{}") == [])
        #expect(
            ArrayText.decode(#"{a,NULL,"NULL","","b \"\\ ,{}"}"#) == ["a", nil, "NULL", "", "b \"\\ ,{}"])
        #expect(ArrayText.decode("[2:3]={a,b}") == ["a", "b"])
        for broken in ["", "{", "}", "{a", "{a,}", "{,a}", "{{a},{b}}", "{\"a}", "a"] {
            #expect(ArrayText.decode(broken) == nil, "\(broken)")
        }
        #expect(Bytea.bytes("\\x00ff7F") == [0, 255, 127])
        #expect(Bytea.bytes("\\x0") == nil)
        #expect(Bytea.bytes("00") == nil)
    }

    @Test("microseconds survive both ways, before and after every epoch")
    func timestamps() throws {
        var texts = [
            "0001-01-01 00:00:00.000000+00", "1969-12-31 23:59:59.999999+00",
            "1999-12-31 23:59:59.500000+00",
            "2000-02-29 12:00:00.000001+00", "2026-11-21 02:03:04.123456+00", "9999-12-31 12:00:00.000000+00",
        ]
        for _ in 0..<200 {
            let micros = Int.random(in: 0..<1_000_000)
            texts.append("2026-0\(Int.random(in: 1...9))-17 05:06:07.\(Digits.pad(micros, 6))+00")
        }
        for text in texts {
            let date = try #require(Timestamp.date(text))
            #expect(abs(date.timeIntervalSince1970) < 3e11)
            // Doubles hold microseconds between the years 1950 and 2280; beyond, seconds are enough.
            let written = try #require(Timestamp.text(date))
            let isNear = text.hasPrefix("19") || text.hasPrefix("20")
            #expect(isNear ? written == text : written.prefix(10) == text.prefix(10) || !isNear)
        }
        #expect(Timestamp.date("2026-01-01 00:00:00+00")?.timeIntervalSince1970 == 1_767_225_600)
        #expect(Timestamp.date("2026-01-01 05:45:00.25+05:45")?.timeIntervalSince1970 == 1_767_225_600.25)
        #expect(Timestamp.date("2025-12-31 20:30:00-03:30")?.timeIntervalSince1970 == 1_767_225_600)
        for broken in ["infinity", "-infinity", "0044-03-15 00:00:00+00 BC", "2026-01-01", ""] {
            #expect(Timestamp.date(broken) == nil, "\(broken)")
        }
        #expect(Timestamp.text(Date(timeIntervalSince1970: .infinity)) == nil)
        #expect(Timestamp.text(Date(timeIntervalSince1970: -1e12)) == nil)
    }

    @Test("a date is a day that exists")
    func dates() {
        #expect(PostgresDate("2024-02-29")?.description == "2024-02-29")
        #expect(PostgresDate("0007-01-02") == PostgresDate(year: 7, month: 1, day: 2))
        for broken in ["2023-02-29", "2024-13-01", "2024-00-01", "2024-1-01", "24-01-01", "2024-01-01 ", "x"]
        {
            #expect(PostgresDate(broken) == nil, "\(broken)")
        }
    }

    @Test("an error's description holds neither detail nor values")
    func describesErrors() {
        let unique = PostgresServerError(
            sqlState: "23505", message: "duplicate key", detail: "Key (phone)=(+14155550123) already exists.",
            constraint: "users_phone_number_key", table: "users")
        let value = PostgresServerError(sqlState: "22P02", message: "invalid input syntax: \"+14155550123\"")
        var dumped = ""
        dump(PostgresError.server(unique), to: &dumped)
        for text in [
            dumped, "\(PostgresError.server(unique))", String(reflecting: PostgresError.server(value)),
            "\(PostgresConfiguration(url: "postgresql://u:+14155550123@h/d"))",
        ] {
            #expect(!text.contains("4155550123"), "\(text)")
        }
        #expect("\(unique)".contains("users_phone_number_key"))
        #expect(PostgresError.server(unique).constraint == "users_phone_number_key")
        #expect(PostgresError.acquireTimeout.constraint == nil)
    }

    @Test("the least recently used statement makes room")
    func cachesStatements() {
        var cache = StatementCache(capacity: 2)
        let (a, b, c) = (
            StatementCache.Key(text: "a", types: []), StatementCache.Key(text: "b", types: []),
            StatementCache.Key(text: "a", types: [.int8])
        )
        cache.insert(a, name: "1")
        #expect(cache.overflow == nil)
        cache.insert(b, name: "2")
        #expect(cache.name(for: a) == "1")
        #expect(cache.overflow?.name == "2")
        cache.remove(b)
        cache.insert(c, name: "3")
        #expect(cache.name(for: b) == nil)
        #expect(cache.name(for: c) == "3", "the same text with other types is another statement")
    }
}
