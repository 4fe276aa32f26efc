import DaylyTesting
import Foundation
import Logging
import Messaging
import ServiceLifecycle
import Synchronization
import Testing

private func sms(_ number: Int = 1) -> SMSMessage {
    SMSMessage(id: UUID(), to: "+49\(number)", body: "text \(number)")
}

/// Runs `body` with a running queue, and drains the queue.
private func withQueue(
    _ gateway: any SMSGateway, _ configure: (inout SMSQueue.Configuration) -> Void = { _ in },
    admitsRepetition: @escaping @Sendable () async -> Bool = { true },
    _ body: (SMSQueue) async throws -> Void
) async throws {
    var configuration = SMSQueue.Configuration()
    configuration.backoff.first = .milliseconds(5)
    configure(&configuration)
    let queue = SMSQueue(
        gateway: gateway, configuration: configuration, admitsRepetition: admitsRepetition,
        logger: .silent)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await queue.run() }
        try await body(queue)
        group.cancelAll()
    }
}

/// Fails a number of times, then accepts; or hangs on one number for ever.
private final class MoodyGateway: SMSGateway {
    private let failures: Mutex<Int>
    private let error: SMSGatewayError
    private let hangingNumber: String?
    private let delay: Duration
    private let asked = Mutex<[SMSMessage]>([])
    let accepted = RecordingSMSGateway()

    init(
        failures: Int = 0, error: SMSGatewayError = .unavailable("busy"), hangsOn number: String? = nil,
        delay: Duration = .zero
    ) {
        self.delay = delay
        self.failures = Mutex(failures)
        self.error = error
        hangingNumber = number
    }

    var callCount: Int { messages.count }
    var messages: [SMSMessage] { asked.withLock { $0 } }

    func send(_ message: SMSMessage) async throws {
        asked.withLock { $0.append(message) }
        if message.to == hangingNumber { try await Task.sleep(for: .seconds(3_600)) }
        try await Task.sleep(for: delay)
        let fails = failures.withLock { failures in
            failures -= 1
            return failures >= 0
        }
        if fails { throw error }
        try await accepted.send(message)
    }
}

/// Guard: the SMS queue is bounded, retries a bounded number of times, drops stale messages and drains
/// (`Gate.enter`, `SMSQueue`)
@Suite("SMS queue")
struct SMSQueueTests {
    @Test("messages are sent off the caller's path")
    func delivers() async throws {
        let gateway = RecordingSMSGateway()
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(7), kind: .code)
            #expect(try await gateway.messages(to: "+497").first?.body == "text 7")
        }
    }

    @Test("a full queue refuses at once, and takes again when there is room")
    func bounded() async throws {
        let gateway = RecordingSMSGateway()
        var configuration = SMSQueue.Configuration()
        configuration.capacity = 2
        let queue = SMSQueue(gateway: gateway, configuration: configuration, logger: .silent)
        try queue.enqueue(sms(1), kind: .code)
        try queue.enqueue(sms(2), kind: .code)
        #expect(throws: SMSQueueFull.self) { try queue.enqueue(sms(3), kind: .code) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run() }
            _ = try await gateway.messages(to: "+492")
            // The place is free a moment after the gateway has the message.
            try await eventually { (try? queue.enqueue(sms(3), kind: .code)) != nil }
            _ = try await gateway.messages(to: "+493")
            group.cancelAll()
        }
    }

    @Test("a place that is not used is given back")
    func placeIsGivenBack() throws {
        var configuration = SMSQueue.Configuration()
        configuration.capacity = 1
        let queue = SMSQueue(
            gateway: RecordingSMSGateway(), configuration: configuration, logger: .silent)
        do {
            let place = try queue.reserve()
            #expect(throws: SMSQueueFull.self) { _ = try queue.reserve() }
            _ = place
        }
        _ = try queue.reserve()
    }

    @Test("a busy gateway is asked again until it accepts")
    func retries() async throws {
        let gateway = MoodyGateway(failures: 2)
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(), kind: .code)
            _ = try await gateway.accepted.messages(to: "+491")
        }
        #expect(gateway.callCount == 3)
    }

    @Test("the number of attempts is bounded")
    func boundedAttempts() async throws {
        let gateway = MoodyGateway(failures: .max)
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(), kind: .code)
            try await eventually { gateway.callCount == 4 }
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(gateway.callCount == 4)
    }

    @Test("a rejected message is not sent again")
    func rejectionIsFinal() async throws {
        let gateway = MoodyGateway(failures: .max, error: .rejected("no"))
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(), kind: .code)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(gateway.callCount == 1)
    }

    /// Guard: a message of unknown outcome is repeated only at a gateway that recognises its id
    /// (`SMSTransport.post`, `FallbackSMSGateway.send`, `SMSQueue.outcome`)
    @Test(
        "a message whose outcome is unknown is repeated only by the gateway that knows its id, within the ceiling"
    )
    func unknownOutcome() async throws {
        let final = MoodyGateway(failures: .max, error: .unknown("lost", repeatableBy: nil))
        try await withQueue(final) { queue in
            try queue.enqueue(sms(), kind: .code)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(final.callCount == 1)

        let repeatable = MoodyGateway(failures: 2, error: .unknown("lost", repeatableBy: "http"))
        let taken = Mutex(0)
        let count: @Sendable () async -> Bool = {
            taken.withLock { $0 += 1 }
            return true
        }
        try await withQueue(repeatable, admitsRepetition: count) { queue in
            try queue.enqueue(sms(), kind: .code)
            _ = try await repeatable.accepted.messages(to: "+491")
        }
        #expect(repeatable.messages.map(\.onlyGateway) == [nil, "http", "http"])
        #expect(Set(repeatable.messages.map(\.id)).count == 1)
        #expect(taken.withLock { $0 } == 2)

        let refused = MoodyGateway(failures: .max, error: .unknown("lost", repeatableBy: "http"))
        try await withQueue(refused, admitsRepetition: { refused.callCount < 2 }) { queue in
            try queue.enqueue(sms(), kind: .code)
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(refused.callCount == 2)
    }

    /// Guard: an exchange's time begins when it has a connection; the wait blames no provider
    /// (`ConnectionPlaces`, `OutboundClient.send`)
    @Test("a wait for a connection of our own is not an attempt")
    func noConnectionFree() async throws {
        let gateway = MoodyGateway(failures: 8, error: .noConnectionFree)
        try await withQueue(gateway) {
            $0.backoff.longest = .milliseconds(5)
        } _: { queue in
            try queue.enqueue(sms(), kind: .code)
            _ = try await gateway.accepted.messages(to: "+491")
        }
        #expect(gateway.callCount == 9)
    }

    @Test("a message that is of no more use is not sent")
    func expires() async throws {
        let gateway = RecordingSMSGateway()
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(1), kind: .code, lifetime: .zero)
            try queue.enqueue(sms(2), kind: .code)
            _ = try await gateway.messages(to: "+492")
        }
        #expect(gateway.messages.map(\.to) == ["+492"])
    }

    @Test("one message that hangs holds up no other")
    func hangingMessage() async throws {
        let gateway = MoodyGateway(hangsOn: "+491")
        try await withQueue(gateway) { queue in
            try queue.enqueue(sms(1), kind: .code)
            for number in 2...50 { try queue.enqueue(sms(number), kind: .invite) }
            _ = try await gateway.accepted.messages(to: "+4950")
        }
    }

    @Test("at shutdown the queue sends its messages and takes no more")
    func drains() async throws {
        let gateway = MoodyGateway(delay: .milliseconds(10))
        var configuration = SMSQueue.Configuration()
        configuration.maxConcurrent = 2
        let queue = SMSQueue(gateway: gateway, configuration: configuration, logger: .silent)
        for number in 1...20 { try queue.enqueue(sms(number), kind: .code) }
        try await shutDown(queue) { _ = try await gateway.accepted.messages(to: "+491") }
        #expect(gateway.accepted.messages.count == 20)
        #expect(throws: SMSQueueFull.self) { try queue.enqueue(sms(21), kind: .code) }
    }

    @Test("a gateway that hangs does not hold up a shutdown for ever")
    func drainEnds() async throws {
        let gateway = MoodyGateway(failures: .max)
        var configuration = SMSQueue.Configuration()
        configuration.backoff.first = .seconds(60)
        configuration.drainTimeout = .milliseconds(50)
        let queue = SMSQueue(gateway: gateway, configuration: configuration, logger: .silent)
        for number in 1...200 { try queue.enqueue(sms(number), kind: .code) }
        let started = ContinuousClock.now
        try await shutDown(queue) {
            try await eventually { gateway.callCount > 0 }
        }
        #expect(ContinuousClock.now - started < .seconds(20))
    }

    private func shutDown(_ queue: SMSQueue, when ready: () async throws -> Void) async throws {
        let group = ServiceGroup(services: [queue], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await ready()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
