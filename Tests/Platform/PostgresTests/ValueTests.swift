import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("Values and PostgreSQL")
struct ValueTests {
    enum Colour: String, PostgresCodable { case red, green }

    /// Sends values through a column of exactly this type, so that the server confirms the type.
    private func roundTrip<Value: PostgresCodable & Equatable>(
        _ client: PostgresClient, _ values: [Value], _ type: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let kind = SQL(unchecked: type)
        for value in values {
            let row = try await client.first(
                "SELECT x, pg_typeof(x)::text AS t FROM (SELECT \(value)::\(fragment: kind) AS x) AS s")
            #expect(try row?.get("x", as: Value.self) == value, sourceLocation: location)
            #expect(try row?.get("t", as: String.self) == type, sourceLocation: location)
        }
        let array = try await client.first("SELECT \(values)::\(fragment: kind)[] AS x")
        if !(values is [UInt8]) {
            #expect(try array?.get("x", as: [Value].self) == values, sourceLocation: location)
        }
        let null = try await client.first("SELECT \(Value?.none)::\(fragment: kind) AS x")
        #expect(try null?.get("x", as: Value?.self) == nil, sourceLocation: location)
    }

    @Test("every type comes back as it went, alone, in an array and as NULL")
    func roundTrips() async throws {
        try await withDatabase { client in
            try await roundTrip(client, ["", "å'\"\\{},NULL", "NULL", "👩‍👩‍👧\n\u{1}", " "], "text")
            try await roundTrip(client, [Int.min, -1, 0, .max], "bigint")
            try await roundTrip(client, [Int64.min, 0, .max], "bigint")
            try await roundTrip(client, [Int32.min, 0, .max], "integer")
            try await roundTrip(client, [Int16.min, 0, .max], "smallint")
            try await roundTrip(client, [true, false], "boolean")
            try await roundTrip(
                client,
                [0.1, -1.7976931348623157e308, .leastNonzeroMagnitude, .infinity, -.infinity, 1 / 3, 1e15],
                "double precision")
            try await roundTrip(client, [UUID(), UUID(uuid: UUID_NULL)], "uuid")
            try await roundTrip(
                client,
                [
                    Date(timeIntervalSince1970: 1_767_225_599.999999), Date(timeIntervalSince1970: 0),
                    Date(timeIntervalSince1970: -1.5),
                ], "timestamp with time zone")
            try await roundTrip(
                client,
                [
                    PostgresDate(year: 2024, month: 2, day: 29), PostgresDate(year: 1, month: 1, day: 1),
                    PostgresDate(year: 9999, month: 12, day: 31),
                ], "date")
            try await roundTrip(client, [[UInt8](0...255), [], [0]], "bytea")
            try await roundTrip(
                client, [JSONB(["a": ["b\\u0000", "\"å"]]), JSONB(["a\"b": []])], "jsonb")
            try await roundTrip(client, [Colour.red, .green], "text")
            try await roundTrip(client, [Int?.some(1), nil], "bigint")
        }
    }

    @Test("a Date keeps its microseconds in the database too")
    func microseconds() async throws {
        try await withDatabase { client in
            let date = Date(timeIntervalSince1970: 1_767_225_600.123456)
            let row = try await client.first(
                "SELECT to_char(\(date) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS t, \(date) AS d")
            #expect(try row?.get("t") == "2026-01-01 00:00:00.123456")
            #expect(try row?.get("d") == date)
        }
    }

    @Test("a Duration is an interval of seconds, also a negative one and a part of a microsecond")
    func durations() async throws {
        try await withDatabase { client in
            let written: [Duration] = [
                .zero, .microseconds(1_500_001), .milliseconds(-1), .nanoseconds(1_999), .seconds(86_400),
                .seconds(100_000_000_000),
            ]
            let row = try await client.first(
                """
                SELECT ARRAY(SELECT x::text FROM unnest(\(written)) AS x) AS texts,
                    timestamptz '2026-01-01 00:00:00+00' - \(Duration.seconds(1)) AS before,
                    \(Duration?.none) IS NULL AS is_null
                """)
            #expect(
                try row?.get("texts", as: [String].self) == [
                    "00:00:00", "00:00:01.500001", "-00:00:00.001", "00:00:00.000001", "24:00:00",
                    "27777777:46:40",
                ])
            #expect(try row?.get("before") == Date(timeIntervalSince1970: 1_767_225_599))
            #expect(try row?.get("is_null") == true)
        }
    }

    @Test("numeric answers may be read as numbers, any type as text")
    func readsOtherTypes() async throws {
        try await withDatabase { client in
            let row = try await client.first(
                """
                SELECT sum(x)::numeric AS s, 1.5::numeric AS n, interval '1 hour' AS i, count(*) AS c
                FROM (VALUES (1), (2)) AS v (x)
                """)
            #expect(try row?.get("s") == 3)
            #expect(try row?.get("n") == 1.5)
            #expect(try row?.get("i") == "01:00:00")
            #expect(try row?.get("c") == Int16(2))
        }
    }

    @Test("a decoding error names the column and the types, never the value")
    func decodeErrors() async throws {
        try await withDatabase { client in
            let row = try #require(
                try await client.first(
                    """
                    SELECT 'secret' AS t, NULL::bigint AS n, 70000 AS big, 1 AS twice, 2 AS twice,
                        'infinity'::timestamptz AS inf, ARRAY[[1, 2]] AS deep, ARRAY[NULL, 1] AS holes
                    """))
            func failure(_ body: () throws -> Void) -> String {
                do {
                    try body()
                } catch PostgresError.decoding(let text) {
                    return text
                } catch {}
                return "no decoding error"
            }
            #expect(failure { _ = try row.get("t", as: Int.self) }.contains("\"t\""))
            #expect(!failure { _ = try row.get("t", as: UUID.self) }.contains("secret"))
            #expect(failure { _ = try row.get("n", as: Int.self) }.contains("NULL"))
            #expect(failure { _ = try row.get("big", as: Int16.self) }.contains("Int16"))
            #expect(failure { _ = try row.get("missing", as: Int.self) }.contains("missing"))
            #expect(failure { _ = try row.get("twice", as: Int.self) }.contains("more than one"))
            #expect(failure { _ = try row.get("inf", as: Date.self) }.contains("Date"))
            #expect(failure { _ = try row.get("deep", as: [Int].self) }.contains("Array<Int>"))
            #expect(failure { _ = try row.get("holes", as: [Int].self) }.contains("NULL"))
            #expect(failure { _ = try row.get("t", as: Colour.self) }.contains("Colour"))
            #expect(failure { _ = try row.get("t", as: [UInt8].self) }.contains("UInt8"))
            #expect(failure { _ = try row.get("t", as: Bool.self) }.contains("Bool"))
            #expect(failure { _ = try row.get("t", as: JSONB<[Int]>.self) }.contains("JSONB"))
            #expect(try row.get("holes", as: [Int?].self) == [nil, 1])
        }
    }

    /// Guard: a NUL is refused before it reaches the server (`PostgresValue`, `PostgresConnection`)
    @Test("a NUL never reaches the server, in a value or in a statement")
    func refusesNUL() async throws {
        try await withDatabase { client in
            await #expect(throws: PostgresError.nulInText) { try await client.query("SELECT \("a\0b")") }
            await #expect(throws: PostgresError.nulInText) {
                try await client.query(SQL(unchecked: "SELECT 1\0; SELECT 2"))
            }
            await #expect(throws: PostgresError.nulInText) {
                try await client.transaction { _ = try $0.query("SELECT \(["a\0"])") }
            }
            _ = try await client.query("SELECT 1")
        }
    }

    @Test("a megabyte comes back whole, and so do five thousand parameters")
    func large() async throws {
        try await withDatabase { client in
            let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let row = try await client.first("SELECT \(bytes) AS b")
            #expect(try row?.get("b") == bytes)
            let rows = (0..<5_000).map { "(\($0))" as SQL }
            let sum: SQL = "SELECT sum(x) AS s FROM (VALUES \(fragment: .joined(rows, by: ", "))) AS v (x)"
            #expect(try await client.first(sum)?.get("s") == 4_999 * 2_500)
        }
    }
}

private let UUID_NULL = UUID(uuidString: "00000000-0000-0000-0000-000000000000")?.uuid ?? UUID().uuid
