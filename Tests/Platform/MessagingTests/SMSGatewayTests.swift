import DaylyTesting
import Foundation
import Hummingbird
import Messaging
import NIOCore
import Testing

private let message = SMSMessage(
    id: UUID(uuidString: "0198A6E0-0000-7000-8000-000000000001") ?? UUID(), to: "+4915123456789",
    body: "He said: \"hi\" \\ & \n\n@dayly.example #123456 ü+")

/// Runs `body` with a transport, and shuts it down.
private func withTransport(
    timeout: Duration = .seconds(10), maxConnections: Int = 32,
    _ body: (SMSTransport) async throws -> Void
) async throws {
    let transport = SMSTransport(timeout: timeout, maxConnections: maxConnections)
    let result: Result<Void, any Error>
    do { result = .success(try await body(transport)) } catch { result = .failure(error) }
    try await transport.shutdown()
    try result.get()
}

private func failure(_ body: () async throws -> Void) async -> SMSGatewayError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SMSGatewayError
    }
}

/// Sends the message many times at once.
private func failures(of count: Int, by gateway: any SMSGateway) async -> [SMSGatewayError] {
    await withTaskGroup(of: SMSGatewayError?.self) { group in
        for _ in 0..<count { group.addTask { await failure { try await gateway.send(message) } } }
        var failures: [SMSGatewayError] = []
        for await result in group { if let result { failures.append(result) } }
        return failures
    }
}

@Suite("SMS gateways")
struct SMSGatewayTests {
    @Test("the HTTP gateway posts id, number and text as JSON, with its token")
    func httpGatewayPosts() async throws {
        try await GatewayServer.run(answer: { _ in Response(status: .accepted) }) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(
                    url: server.endpoint, token: "s3cret", transport: transport)
                try await gateway.send(message)
            }
            let request = try #require(server.requests.first)
            #expect(request.path == "/send")
            #expect(request.headers[.authorization] == "Bearer s3cret")
            #expect(request.headers[.contentType] == "application/json")
            let fields = try JSONDecoder().decode([String: String].self, from: Data(request.body.utf8))
            #expect(
                fields == [
                    "id": "0198a6e0-0000-7000-8000-000000000001", "to": message.to, "body": message.body,
                ])
        }
    }

    @Test("Twilio gets a form, its characters escaped, and basic authentication")
    func twilioPosts() async throws {
        try await GatewayServer.run(answer: { _ in Response(status: .created) }) { server in
            try await withTransport { transport in
                let gateway = TwilioSMSGateway(
                    accountSID: "AC1", authToken: "t", sender: .init("+15005550006"), baseURL: server.url,
                    transport: transport)
                try await gateway.send(message)
            }
            let request = try #require(server.requests.first)
            #expect(request.path == "/2010-04-01/Accounts/AC1/Messages.json")
            #expect(request.headers[.authorization] == "Basic QUMxOnQ=")
            #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
            #expect(
                request.body == "To=%2B4915123456789&Body=He+said%3A+%22hi%22+%5C+%26+%0A%0A"
                    + "%40dayly.example+%23123456+%C3%BC%2B&From=%2B15005550006")
        }
    }

    @Test("a sender that is a messaging service goes into Twilio's member for it")
    func twilioMessagingService() async throws {
        try await GatewayServer.run(answer: { _ in Response(status: .created) }) { server in
            try await withTransport { transport in
                let gateway = TwilioSMSGateway(
                    accountSID: "AC1", authToken: "t", sender: .init("MG77"), baseURL: server.url,
                    transport: transport)
                try await gateway.send(message)
            }
            #expect(server.requests.first?.body.hasSuffix("&MessagingServiceSid=MG77") == true)
        }
    }

    @Test("errors that a retry may cure are distinguished from others", arguments: [400, 401, 404, 422])
    func rejections(status: Int) async throws {
        try await GatewayServer.run(answer: { _ in Response(status: .init(code: status)) }) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t", transport: transport)
                #expect(
                    await failure { try await gateway.send(message) } == .rejected("HTTP status \(status)"))
            }
        }
    }

    @Test("a gateway that is busy or broken may be asked again", arguments: [408, 429, 500, 503])
    func unavailability(status: Int) async throws {
        try await GatewayServer.run(answer: { _ in Response(status: .init(code: status)) }) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t", transport: transport)
                #expect(
                    await failure { try await gateway.send(message) } == .unavailable("HTTP status \(status)")
                )
            }
        }
    }

    @Test("an error says nothing of what the gateway answered: it may repeat the number")
    func errorsHoldNoNumber() async throws {
        let answer = Response(
            status: .badRequest, body: .init(byteBuffer: ByteBuffer(string: message.to)))
        try await GatewayServer.run(answer: { _ in answer }) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t0ken", transport: transport)
                let error = try #require(await failure { try await gateway.send(message) })
                for text in [error.description, String(reflecting: error)] {
                    #expect(!text.contains("4915123456789") && !text.contains("t0ken"))
                }
            }
        }
    }

    /// Guard: a gateway's redirect is not followed; waiting and reading are bounded (`OutboundClient`,
    /// `SMSTransport`)
    @Test("a redirect is not followed")
    func redirects() async throws {
        let redirect = Response(status: .temporaryRedirect, headers: [.location: "/elsewhere"])
        try await GatewayServer.run(answer: { _ in redirect }) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t", transport: transport)
                #expect(await failure { try await gateway.send(message) } == .rejected("HTTP status 307"))
            }
            #expect(server.requests.count == 1)
        }
    }

    /// Guard: a gateway's redirect is not followed; waiting and reading are bounded (`OutboundClient`,
    /// `SMSTransport`)
    @Test("a gateway that hangs is given up")
    func hanging() async throws {
        let hang: @Sendable (ReceivedRequest) async throws -> Response = { _ in
            try? await Task.sleep(for: .seconds(30))
            return Response(status: .ok)
        }
        try await GatewayServer.run(answer: hang) { server in
            try await withTransport(timeout: .milliseconds(200)) { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t", transport: transport)
                let error = await failure { try await gateway.send(message) }
                #expect(error == .unknown("no answer in time", repeatableBy: "http"))
            }
        }
    }

    /// Guard: a gateway's redirect is not followed; waiting and reading are bounded (`OutboundClient`,
    /// `SMSTransport`)
    @Test("an answer without an end is not read to its end")
    func endlessAnswer() async throws {
        let endless: @Sendable (ReceivedRequest) async throws -> Response = { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let chunk = ByteBuffer(repeating: 0x20, count: 8_192)
                    while !Task.isCancelled { try await writer.write(chunk) }
                })
        }
        try await GatewayServer.run(answer: endless) { server in
            try await withTransport { transport in
                let gateway = HTTPSMSGateway(url: server.endpoint, token: "t", transport: transport)
                try await gateway.send(message)
            }
        }
    }

    /// Guard: one deadline covers the answer's head and body (`OutboundClient.exchange`)
    @Test(
        "eight answers that stall in the middle of their bodies leave the ninth message its connection")
    func stalledBodies() async throws {
        let stalls: @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step = { _, index in
            index < 8
                ? .reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1") : .answer("200 OK", body: "1")
        }
        try await ScriptedServer.run(answer: stalls) { server in
            try await withTransport(timeout: .seconds(2), maxConnections: 8) { transport in
                let gateway = HTTPSMSGateway(url: try server.url, token: "t", transport: transport)
                async let first = failures(of: 8, by: gateway)
                // Messages wait for a connection as long as an exchange lasts. These come when the first eight are
                // under way, so that they wait for less.
                try await eventually { server.requests.count == 8 }
                try await Task.sleep(for: .seconds(1))
                let later = await failures(of: 2, by: gateway)
                // A status is an answer even if the body breaks off.
                #expect(await first + later == [])
                #expect(server.requests.count == 10)
            }
        }
    }

    /// Guard: a message of unknown outcome is repeated only at a gateway that recognises its id
    /// (`SMSTransport.post`, `FallbackSMSGateway.send`, `SMSQueue.outcome`)
    @Test(
        "a lost answer leaves the outcome unknown, and only the gateway that knows the id may get it again"
    )
    func lostAnswers() async throws {
        let losses: [ScriptedServer.Step] = [
            .reset, .replyAndClose("HTTP/1.1 2"), .answer("502 Bad Gateway"),
            .answer("504 Gateway Timeout"),
        ]
        try await ScriptedServer.run(answer: { _, index in losses[index / 2] }) { server in
            try await withTransport { transport in
                let http = HTTPSMSGateway(url: try server.url, token: "t", transport: transport)
                let twilio = TwilioSMSGateway(
                    accountSID: "AC1", authToken: "t", sender: .init("MG77"), baseURL: try server.url,
                    transport: transport)
                for _ in losses {
                    guard case .unknown(_, "http") = await failure({ try await http.send(message) }),
                        case .unknown(_, nil) = await failure({ try await twilio.send(message) })
                    else {
                        Issue.record("a lost answer has an unknown outcome")
                        return
                    }
                }
            }
        }
    }

    @Test("more messages than connections wait for their turn, and the gateway is not at fault")
    func waiting() async throws {
        let slow: @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step = { _, _ in
            .later(.milliseconds(500), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        try await ScriptedServer.run(answer: slow) { server in
            try await withTransport(timeout: .seconds(2), maxConnections: 1) { transport in
                let gateway = HTTPSMSGateway(url: try server.url, token: "t", transport: transport)
                let failures = await failures(of: 12, by: gateway)
                #expect(!failures.isEmpty && failures.allSatisfy { $0 == .noConnectionFree })
            }
        }
    }

    @Test("a provider that does not listen may be tried again")
    func refusedConnection() async throws {
        try await withTransport { transport in
            let url = try #require(URL(string: "http://127.0.0.1:1/send"))
            let gateway = HTTPSMSGateway(url: url, token: "t", transport: transport)
            guard case .unavailable = await failure({ try await gateway.send(message) }) else {
                Issue.record("not unavailable")
                return
            }
        }
    }
}
