import DaylyTesting
import Foundation
import Messaging
import NIOCore
import Synchronization
import Testing

@testable import DaylyServer

/// The findings of `dayly doctor` about the SMS gateways. The wait is long: on a busy machine an answer may take seconds.
private func doctor(
    _ kind: String,
    timeout: Duration = .seconds(60),
    _ answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step,
    _ look: @escaping @Sendable ([ScriptedServer.Request]) -> Void = { _ in }
) async throws -> String {
    try await ScriptedServer.run(answer: answer) { server in
        let folder = try TemporaryFolder()
        let url = try server.url.absoluteString
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(
                in: folder,
                [
                    "DAYLY_SMS_KIND": kind, "DAYLY_SMS_HTTP_URL": url + "/send",
                    "DAYLY_SMS_HTTP_TOKEN": "gateway-token", "DAYLY_SMS_TWILIO_URL": url,
                    "DAYLY_SMS_TWILIO_ACCOUNT_SID": "AC1", "DAYLY_SMS_TWILIO_AUTH_TOKEN": "twilio-token",
                    "DAYLY_SMS_TWILIO_FROM": "MG1",
                ]), file: nil)
        let checks = GatewayChecks(configuration: configuration, timeout: timeout)
        let output = await checks.findings().map(\.text).joined(separator: "\n")
        look(server.requests)
        #expect(!output.contains("gateway-token") && !output.contains("twilio-token"))
        return output
    }
}

/// Guard: doctor distinguishes gateways that refuse, do not know the address or fail (`GatewayChecks`)
@Suite("Doctor on SMS gateways")
struct GatewayDoctorTests {
    @Test(
        "a gateway that refuses us, does not know the address or fails is a problem, and the remedy names the setting",
        arguments: [
            ("401 Unauthorized", "sms.http.token", "sms.twilio.auth_token"),
            ("403 Forbidden", "sms.http.token", "sms.twilio.auth_token"),
            ("404 Not Found", "sms.http.url", "sms.twilio.account_sid"),
            ("307 Elsewhere", "sms.http.url", "sms.twilio.account_sid"),
            ("500 Internal Server Error", "sms.http.url", "sms.twilio.url"),
            ("503 Service Unavailable", "sms.http.url", "sms.twilio.url"),
        ])
    func faults(status: String, http: String, twilio: String) async throws {
        for (kind, remedy) in [("http", http), ("twilio", twilio)] {
            let output = try await doctor(kind, { _, _ in .answer(status) })
            #expect(output.hasPrefix("PROBLEM") && output.contains(remedy), "\(output)")
            #expect(output.contains(status.prefix(3)), "\(output)")
        }
    }

    @Test(
        "a gateway that stalls in the middle of its answer is a problem within seconds")
    func stalls() async throws {
        let output = try await doctor(
            "http", timeout: .seconds(1),
            { _, _ in .reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1") })
        #expect(output.contains("PROBLEM  sms: the http gateway does not answer: no answer in time"))
    }

    @Test(
        "a gateway that works is asked with our credentials and gets no message",
        arguments: ["405 Method Not Allowed", "400 Bad Request", "200 OK", "501 Not Implemented"])
    func inOrder(status: String) async throws {
        let output = try await doctor("http,twilio", { _, _ in .answer(status) }) { requests in
            #expect(requests.map(\.method) == ["GET", "GET"])
            #expect(requests.first?.headers["authorization"] == "Bearer gateway-token")
            #expect(requests.last?.target == "/2010-04-01/Accounts/AC1.json")
            #expect(requests.last?.headers["authorization"] == "Basic QUMxOnR3aWxpby10b2tlbg==")
        }
        #expect(!output.contains("PROBLEM"), "\(output)")
    }

    /// Guard: doctor takes no web page for an SMS gateway (`GatewayChecks`)
    @Test("a web page is not taken for a gateway, and another answer not for a proof")
    func webPage() async throws {
        for length in [10, 1 << 20] {
            let page = try await doctor(
                "http",
                { _, _ in
                    .answer(
                        "200 OK", ["Content-Type: text/html; charset=utf-8"],
                        body: String(repeating: "p", count: length))
                })
            #expect(page.hasPrefix("warning  sms: a web page answers"), "\(page)")
        }
        let other = try await doctor("http", { _, _ in .answer("405 Method Not Allowed") })
        #expect(other.contains("only a message shows whether it takes messages"), "\(other)")
    }

    @Test(
        "a gateway without GET gets a POST without a message",
        arguments: [
            ("422 No", true), ("500 No", true), ("401 No", false), ("404 No", false), ("405 No", true),
        ])
    func postOnly(status: String, isInOrder: Bool) async throws {
        let output = try await doctor(
            "http", { request, _ in .answer(request.method == "GET" ? "404 Not Found" : status) }
        ) { requests in
            #expect(requests.map(\.method) == ["GET", "POST"])
            #expect(requests.last.map { String(buffer: $0.body) } == "{}")
        }
        #expect(output.contains("PROBLEM") == !isInOrder, "\(output)")
    }
}

/// Guard: a provider's fault is stored until a message is accepted; doctor reports it (`PushFaultLog`,
/// `PushFaultChecks`)
@Suite("Doctor on push credentials")
struct PushFaultDoctorTests {
    @Test(
        "a fault that a running service recorded is a problem with its remedy, for providers in use only"
    )
    func faults() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let configuration = try ServerConfiguration.load(
                environment: Fixture.development(
                    in: folder, database: database.url,
                    [
                        "DAYLY_PUSH_KIND": "apns", "DAYLY_PUSH_APNS_TEAM_ID": "TEAM012345",
                        "DAYLY_PUSH_APNS_KEY_ID": "KEY0123456", "DAYLY_PUSH_APNS_TOPIC": "com.example.dayly",
                        "DAYLY_PUSH_APNS_KEY": try folder.write("apns.p8", Fixtures.signingKey),
                    ]), file: nil)
            let checks = PushFaultChecks(configuration: configuration, logger: .silent)
            #expect(await checks.findings().isEmpty)
            let client = Connections.database(configuration, maxConnections: 1, logger: .silent)
            for platform in ["ios", "android"] {
                try await client.execute(
                    """
                    INSERT INTO push_faults (platform, reason, since)
                    VALUES (\(platform), 'BadDeviceToken', '2026-11-21 07:08:09Z')
                    """)
            }
            await client.close()
            let findings = await checks.findings()
            #expect(findings.count == 1)
            let text = try #require(findings.first?.text)
            #expect(
                text.contains(
                    "PROBLEM  push: since 2026-11-21T07:08:09Z apns has accepted no message of the running service"
                ))
            #expect(text.contains("(BadDeviceToken)") && text.contains("push.apns.url"))
            withExtendedLifetime(folder) {}
        }
    }

    @Test("a provider may refuse an invented device as unknown; any other doubt is a problem")
    func madeUpDevice() {
        for (reason, isInOrder) in [
            ("BadDeviceToken", true), ("INVALID_ARGUMENT", true), ("DeviceTokenNotForTopic", false),
            ("SENDER_ID_MISMATCH", false), ("NOT_FOUND", false),
        ] {
            let finding = PushChecks.finding("apns", .doubtful(reason: reason))
            #expect((finding.verdict == .ok) == isInOrder, "\(reason)")
        }
    }
}

/// A gateway that recognizes ids and whose answers all get lost.
private final class ForgetfulGateway: SMSGateway {
    private let calls = Mutex(0)

    var callCount: Int { calls.withLock { $0 } }

    func send(_ message: SMSMessage) async throws {
        calls.withLock { $0 += 1 }
        throw SMSGatewayError.unknown("lost", repeatableBy: "http")
    }
}

@Suite("The ceiling and repetitions")
struct RepetitionCeilingTests {
    /// Guard: a repetition after an unknown outcome counts against the ceiling (`ServerComposition.queue`)
    @Test(
        "every attempt that may have reached a gateway counts towards the ceiling, and no attempt exceeds it"
    )
    func repetitions() async throws {
        let gateway = ForgetfulGateway()
        var overrides = ServerOverrides()
        overrides.smsGateway = gateway
        try await WholeService.run(
            ["DAYLY_SMS_LIMITS_PER_MINUTE": "6", "DAYLY_SMS_COUNTRIES": "1"], overrides: overrides
        ) {
            service in
            let queue = try #require(
                service.composition.services.lazy.compactMap { $0 as? SMSQueue }.first)
            let sending = Task { try await queue.run() }
            defer { sending.cancel() }
            let answer = try await service.call(
                "POST", "/v1/auth/request-verification", body: #"{"phone_number": "+14155550188"}"#)
            #expect(answer.status == 202)
            try await eventually { gateway.callCount == 3 }
            let second = try await service.call(
                "POST", "/v1/auth/request-verification", body: #"{"phone_number": "+14155550189"}"#)
            #expect(second.status == 429, "the ceiling is spent")
            try await Task.sleep(for: .milliseconds(500))
            #expect(gateway.callCount == 3)
            let sent: Int? = try await service.postgres.first(
                "SELECT sum(sent)::bigint AS sent FROM message_tally WHERE unit = 'second'")?.get("sent")
            #expect(sent == 3)
        }
    }
}
