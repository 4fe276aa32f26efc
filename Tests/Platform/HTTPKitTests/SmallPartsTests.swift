import Foundation
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import Metrics
import NIOCore
import Telemetry
import Testing

@testable import HTTPKit

@Suite("Client addresses")
struct ClientAddressTests {
    private func client(_ peer: String, _ forwarded: [String], trusted: [String]) throws -> String? {
        let peer = try SocketAddress(ipAddress: peer, port: 1)
        return try TrustedProxies(trusted).clientAddress(peer: peer, forwardedFor: forwarded)?.description
    }

    /// Guard: `X-Forwarded-For` behind trusted proxies only (HTTPKit `TrustedProxies.clientAddress`)
    @Test("without a trusted proxy the header is not believed")
    func untrusted() throws {
        #expect(try client("203.0.113.7", ["1.2.3.4"], trusted: []) == "203.0.113.7")
        #expect(
            try client("203.0.113.7", ["1.2.3.4"], trusted: ["203.0.113.8", "10.0.0.0/8"]) == "203.0.113.7")
    }

    @Test("behind trusted proxies the client is the rightmost address that is not a proxy")
    func trusted() throws {
        let proxies = ["10.0.0.0/8", "2001:db8:1::/48", "127.0.0.1"]
        #expect(
            try client("10.1.2.3", ["6.6.6.6, 198.51.100.9, 10.9.9.9"], trusted: proxies) == "198.51.100.9")
        #expect(try client("127.0.0.1", ["6.6.6.6", "198.51.100.9"], trusted: proxies) == "198.51.100.9")
        #expect(try client("::ffff:10.0.0.1", ["198.51.100.9:4711"], trusted: proxies) == "198.51.100.9")
        #expect(
            try client("2001:db8:1::5", ["[2001:db8:2::7]:80"], trusted: proxies) == "2001:db8:2:0:0:0:0:7")
        #expect(try client("10.0.0.1", [], trusted: proxies) == "10.0.0.1")
        #expect(try client("10.0.0.1", ["6.6.6.6, nonsense"], trusted: proxies) == "10.0.0.1")
        #expect(try client("10.0.0.1", ["10.0.0.2"], trusted: proxies) == "10.0.0.2")
    }

    @Test("limits count by /24 and /64")
    func blocks() {
        #expect(ClientAddress("198.51.100.9")?.block == "198.51.100.0/24")
        #expect(ClientAddress("::ffff:198.51.100.9")?.block == "198.51.100.0/24")
        #expect(ClientAddress("2001:db8:1:2:3:4:5:6")?.block == "2001:db8:1:2:0:0:0:0/64")
        #expect(ClientAddress("localhost") == nil)
    }

    @Test(
        "an entry that is neither an address nor a block is named",
        arguments: ["proxy", "10.0.0.0/33", "10.0.0.0/x", "", "::1/129", "1.2.3.4/8/8"])
    func invalid(entry: String) {
        #expect(throws: TrustedProxies.InvalidEntry(entry: entry)) {
            try TrustedProxies(["127.0.0.1", entry])
        }
    }

    @Test("a block of odd length is compared to the bit")
    func oddBlock() throws {
        #expect(try client("172.31.255.1", ["1.1.1.1"], trusted: ["172.16.0.0/12"]) == "1.1.1.1")
        #expect(try client("172.32.0.1", ["1.1.1.1"], trusted: ["172.16.0.0/12"]) == "172.32.0.1")
    }
}

@Suite("Idempotency keys")
struct IdempotencyKeyTests {
    @Test("quoted or not, it is the same key")
    func spelling() {
        #expect(IdempotencyKey("abc-1")?.rawValue == "abc-1")
        #expect(IdempotencyKey(" \"abc-1\" ") == IdempotencyKey("abc-1"))
    }

    @Test(
        "it has 1 to 64 visible ASCII characters",
        arguments: ["", "\"\"", "a b", "ä", "a\"b", "\"a", String(repeating: "x", count: 65)])
    func malformed(text: String) {
        #expect(IdempotencyKey(text) == nil)
    }

    @Test("64 characters are accepted")
    func longest() {
        #expect(IdempotencyKey(String(repeating: "x", count: 64)) != nil)
    }
}

@Suite("The budget of bodies")
struct BodyBudgetTests {
    /// Guard: memory of bodies in flight (HTTPKit `BodyBudget.reserve`, its `deinit`)
    @Test("a body beyond the budget is refused, and fits after another one is released")
    func budget() throws {
        let budget = BodyBudget(maxBytes: 100)
        let first = try budget.reserve(60)
        #expect(throws: Problem.overloaded()) { _ = try budget.reserve(41) }
        first.shrink(to: 10)
        #expect(budget.reservedBytes == 10)
        do {
            let second = try budget.reserve(90)
            withExtendedLifetime(second) { #expect(budget.reservedBytes == 100) }
        }
        #expect(budget.reservedBytes == 10)
        first.release()
        first.release()
        #expect(budget.reservedBytes == 0)
        #expect(throws: Problem.overloaded()) { _ = try budget.reserve(.max) }
    }

    /// Guard: one sender cannot hold all memory for bodies (HTTPKit `BodyBudget.take`)
    @Test("a sender holds at most a quarter of the budget, or one body")
    func shares() throws {
        let budget = BodyBudget(maxBytes: 1_000)
        let (ada, bob) = (UUID(), UUID())
        let large = try budget.reserve(600, for: ada)
        #expect(throws: Problem.overloaded()) { _ = try budget.reserve(1, for: ada) }
        let other = try budget.reserve(200, for: bob)
        #expect(throws: Problem.overloaded()) { _ = try budget.reserve(51, for: bob) }
        other.shrink(to: 100)
        let third = try budget.reserve(150, for: bob)
        #expect(budget.reservedBytes == 850)
        for reservation in [large, other, third] { reservation.release() }
        let all = try (0..<64).map { _ in try budget.reserve(1, for: ada) }
        #expect(throws: Problem.overloaded()) { _ = try budget.reserve(1, for: ada) }
        for reservation in all { reservation.release() }
        #expect(budget.reservedBytes == 0)
        let again = try budget.reserve(900, for: bob)
        #expect(!again.grow(by: 1))
        again.release()
        let free = try budget.reserve(900)
        #expect(free.grow(by: 100))
        #expect(!free.grow(by: 1))
        free.release()
        #expect(!free.grow(by: 1))
        #expect(budget.reservedBytes == 0)
    }

    @Test("a body beyond the budget is 503 with Retry-After, and a finished one gives all memory back")
    func upload() async throws {
        let budget = BodyBudget(maxBytes: 1 << 20)
        try await TestServer.app(budget: budget).test(.router) { client in
            let held = try budget.reserve(1 << 19)
            let refused = try await client.execute(
                uri: "/v1/upload", method: .post, body: ByteBuffer(repeating: 1, count: 600_000))
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try refused.problem().code == .overloaded)
            let taken = try await client.execute(
                uri: "/v1/upload", method: .post, body: ByteBuffer(repeating: 1, count: 500_000))
            #expect(taken.status == .created)
            held.release()
        }
        #expect(budget.reservedBytes == 0)
    }
}

@Suite("Metrics of requests")
struct RequestMetricsTests {
    @Test(
        "requests are counted by method, template and status; unknown paths are one route, unusual methods one method"
    )
    func counted() async throws {
        let registry = PrometheusRegistry()
        try await withMetricsFactory(registry) {
            try await TestServer.app().test(.router) { client in
                _ = try await client.execute(uri: "/v1/items/1", method: .get)
                _ = try await client.execute(uri: "/v1/items/2", method: .get)
                _ = try await client.execute(uri: "/v1/a", method: .get)
                _ = try await client.execute(uri: "/v1/b", method: .get)
                _ = try await client.execute(uri: "/v1/hello", method: .trace)
            }
        }
        let text = registry.render()
        #expect(
            text.contains(#"dayly_http_requests_total{method="GET",route="/v1/items/{id}",status="404"} 2"#))
        #expect(text.contains(#"dayly_http_requests_total{method="GET",route="unmatched",status="404"} 2"#))
        #expect(text.contains(#"dayly_http_requests_total{method="OTHER",route="/v1/hello",status="405"} 1"#))
        #expect(text.contains(#"dayly_http_request_seconds_count{route="/v1/items/{id}"} 2"#))
        #expect(text.contains("\ndayly_http_requests_in_flight 0\n"))
    }
}

@Suite("JSON on the wire")
struct WireJSONTests {
    @Test("timestamps are UTC with whole seconds, never later than they are")
    func timestamps() {
        #expect(WireJSON.timestamp(Date(timeIntervalSince1970: 1_769_903_999.999)) == "2026-01-31T23:59:59Z")
        #expect(JSONValue.date(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
    }
}
