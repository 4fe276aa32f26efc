import DaylyTesting
import Foundation
import Messaging
import Resilience
import Testing

@Suite("Several SMS gateways")
struct FallbackSMSGatewayTests {
    private let message = SMSMessage(id: UUID(), to: "+4915123456789", body: "hello")

    @Test("only the first is used while it accepts")
    func firstWins() async throws {
        let first = RecordingSMSGateway()
        let second = RecordingSMSGateway()
        try await FallbackSMSGateway([
            .init(name: "first", gateway: first), .init(name: "second", gateway: second),
        ]).send(message)
        #expect(first.messages.count == 1)
        #expect(second.messages.isEmpty)
    }

    @Test("the next one gets what the first does not take", arguments: [true, false])
    func secondSteps(rejected: Bool) async throws {
        let first = RecordingSMSGateway()
        let second = RecordingSMSGateway()
        first.fail(with: rejected ? .rejected("no") : .unavailable("busy"))
        try await FallbackSMSGateway([
            .init(name: "first", gateway: first), .init(name: "second", gateway: second),
        ]).send(message)
        #expect(second.messages.count == 1)
    }

    @Test("if one gateway may recover, the whole may")
    func summary() async throws {
        let first = RecordingSMSGateway()
        let second = RecordingSMSGateway()
        first.fail(with: .unavailable("busy"))
        second.fail(with: .rejected("no"))
        let gateway = FallbackSMSGateway([
            .init(name: "first", gateway: first), .init(name: "second", gateway: second),
        ])
        await #expect(throws: SMSGatewayError.unavailable("unavailable: busy; rejected: no")) {
            try await gateway.send(message)
        }
        first.fail(with: .rejected("no"))
        await #expect(throws: SMSGatewayError.rejected("rejected: no; rejected: no")) {
            try await gateway.send(message)
        }
    }

    /// Guard: a message of unknown outcome is repeated only at a gateway that recognises its id
    /// (`SMSTransport.post`, `FallbackSMSGateway.send`, `SMSQueue.outcome`)
    @Test(
        "a message that may be on its way goes to no other gateway, and back to the one that knows its id"
    )
    func unknownOutcome() async throws {
        let (first, second) = (RecordingSMSGateway(), RecordingSMSGateway())
        let gateway = FallbackSMSGateway([
            .init(name: "first", gateway: first), .init(name: "second", gateway: second),
        ])
        for repeatable in ["x", nil] {
            first.fail(with: .unknown("lost", repeatableBy: repeatable))
            await #expect(
                throws: SMSGatewayError.unknown(
                    "outcome unknown: lost", repeatableBy: repeatable.map { _ in "first" })
            ) {
                try await gateway.send(message)
            }
        }
        var bound = message
        bound.onlyGateway = "first"
        first.fail(with: .unavailable("busy"))
        await #expect(throws: SMSGatewayError.unavailable("unavailable: busy")) {
            try await gateway.send(bound)
        }
        #expect(second.messages.isEmpty)
    }

    @Test("waiting for a connection of our own costs a gateway nothing of its health")
    func noConnectionFree() async throws {
        let (first, second) = (RecordingSMSGateway(), RecordingSMSGateway())
        let gateway = FallbackSMSGateway([
            .init(name: "first", gateway: first), .init(name: "second", gateway: second),
        ])
        first.fail(with: .noConnectionFree)
        for _ in 0..<5 {
            await #expect(throws: SMSGatewayError.noConnectionFree) { try await gateway.send(message) }
        }
        first.fail(with: nil)
        try await gateway.send(message)
        #expect(first.messages.count == 1 && second.messages.isEmpty)
    }

    /// Guard: a gateway that fails again and again is passed over (`FallbackSMSGateway`)
    @Test(
        "a gateway that fails again and again is passed over for a pause, and tried last before a message fails"
    )
    func rests() async throws {
        let first = RecordingSMSGateway()
        let second = RecordingSMSGateway()
        let gateway = FallbackSMSGateway(
            [.init(name: "first", gateway: first), .init(name: "second", gateway: second)],
            breaker: Breaker(maxFailures: 3, pause: .seconds(3_600)))
        first.fail(with: .unavailable("busy"))
        for _ in 1...3 { try await gateway.send(message) }
        first.fail(with: nil)
        try await gateway.send(message)
        #expect(first.messages.isEmpty)
        #expect(second.messages.count == 4)
        second.fail(with: .unavailable("busy"))
        try await gateway.send(message)
        #expect(first.messages.count == 1)
    }
}
