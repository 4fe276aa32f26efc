@testable import FocusClient
import DaylyClient
import ClientFixtures
@testable import PhoneClient
import DaylyAPI
import Testing

/// Guard: each outcome of a phone's sync has one consequence (`PhoneSyncMachine.finish`)
@Suite("Phones: the rules of the queue of events")
struct PhoneSyncMachineTests {
    private static let attempt = PhoneSyncMachine.Attempt(last: 3, isPartial: false, cursor: "a")
    private static let answer = PhoneSyncMachine.Outcome.answered(
        acknowledged: 3, cursor: "b", hasMore: false)

    /// A machine that has sent a sync.
    private func syncing(_ attempt: PhoneSyncMachine.Attempt = Self.attempt) -> PhoneSyncMachine {
        var machine = PhoneSyncMachine(notJoined: .focusNotJoined)
        machine.receive(.opened)
        machine.begin(attempt)
        return machine
    }

    private func refused(
        _ status: Int, _ code: ProblemCode, retryAfter: Duration? = nil
    ) -> PhoneSyncMachine.Outcome {
        .refused(status: status, code: code.rawValue, retryAfter: retryAfter)
    }

    @Test("a failed sync is repeated after 1, 2 and 4 minutes, and then with the next event")
    func pauses() {
        var machine = syncing()
        var now = Duration.zero
        for minutes in [1, 2, 4] {
            #expect(machine.finish(.unanswered, at: now).isEmpty)
            let next = now + .seconds(minutes * 60)
            #expect(!machine.isDue(at: next - .milliseconds(1)) && machine.isDue(at: next), "\(minutes)")
            now = next
            machine.begin(Self.attempt)
        }
        _ = machine.finish(.unanswered, at: now)
        #expect(machine.state == .idle && !machine.isDue(at: now + .seconds(1_000_000)))
        machine.receive(.recorded(canWait: false))
        #expect(machine.isDue(at: now))
        machine.begin(Self.attempt)
        _ = machine.finish(.unanswered, at: now)
        #expect(machine.state == .waiting(until: now + .seconds(60), isAsked: false), "the waits begin anew")
    }

    @Test("an event does not cut a wait short; the opened app does, unless the service named the moment")
    func waits() {
        var machine = syncing()
        _ = machine.finish(.unanswered, at: .zero)
        machine.receive(.recorded(canWait: false))
        #expect(!machine.isDue(at: .zero))
        machine.receive(.opened)
        #expect(machine.isDue(at: .zero))

        var asked = syncing()
        _ = asked.finish(refused(429, .rateLimited, retryAfter: .seconds(90)), at: .zero)
        asked.receive(.opened)
        #expect(!asked.isDue(at: .seconds(89)) && asked.isDue(at: .seconds(90)))
        var far = syncing()
        _ = far.finish(refused(503, .overloaded, retryAfter: .seconds(86_400)), at: .zero)
        #expect(far.isDue(at: .seconds(3600)), "a proxy's Retry-After may be anything")
    }

    @Test("events that may wait go at once, or with the next one that may not", arguments: [true, false])
    func waiting(isAtOnce: Bool) {
        var machine = PhoneSyncMachine(notJoined: .focusNotJoined)
        machine.sendsAllAtOnce = isAtOnce
        machine.receive(.recorded(canWait: true))
        #expect(machine.isDue(at: .zero) == isAtOnce)
        machine.receive(.recorded(canWait: false))
        #expect(machine.isDue(at: .zero))
    }

    @Test("an answer is kept: the number first, then the cursor")
    func answer() {
        var machine = syncing()
        #expect(machine.finish(Self.answer, at: .zero) == [.acknowledge(3), .move(cursor: "b")])
        #expect(machine.state == .idle && machine.failures == 0)
    }

    @Test("the next sync follows at once if there is more: here, of other phones, or recorded meanwhile")
    func more() {
        var partial = syncing(.init(last: 500, isPartial: true, cursor: nil))
        _ = partial.finish(.answered(acknowledged: 500, cursor: "b", hasMore: false), at: .zero)
        #expect(partial.state == .due)

        var others = syncing()
        _ = others.finish(.answered(acknowledged: 3, cursor: "b", hasMore: true), at: .zero)
        #expect(others.state == .due)

        var meanwhile = syncing()
        meanwhile.receive(.recorded(canWait: false))
        #expect(!meanwhile.isDue(at: .zero), "one sync at a time")
        _ = meanwhile.finish(Self.answer, at: .zero)
        #expect(meanwhile.state == .due)
    }

    @Test("an answer that moves nothing is not asked for again at once")
    func standstill() {
        var cursor = syncing()
        _ = cursor.finish(.answered(acknowledged: 3, cursor: "a", hasMore: true), at: .zero)
        #expect(cursor.state == .idle)
        var refusal = syncing()
        _ = refusal.finish(.answered(acknowledged: 3, cursor: nil, hasMore: true), at: .zero)
        #expect(refusal.state == .idle, "the app did not take the others' events")
        var number = syncing(.init(last: 3, isPartial: true, cursor: "a"))
        _ = number.finish(.answered(acknowledged: 2, cursor: "b", hasMore: false), at: .zero)
        #expect(number.state == .waiting(until: .seconds(60), isAsked: false))
    }

    @Test("after 410 the same events go at once without the cursor; without one it is a refusal")
    func cursorExpired() {
        var machine = syncing()
        #expect(machine.finish(refused(410, .cursorExpired), at: .zero) == [.move(cursor: nil)])
        #expect(machine.state == .due)
        machine.begin(.init(last: 3, isPartial: false, cursor: nil))
        #expect(machine.finish(refused(410, .cursorExpired), at: .zero).isEmpty)
        #expect(machine.state == .stopped(.refused(code: "cursor_expired")))
    }

    @Test(
        "a refusal that waiting does not mend stops the queue until the app acts",
        arguments: [
            (409, ProblemCode.focusNotJoined, PhoneSyncStatus.Stop.notJoined),
            (409, .deviceLimitReached, .refused(code: "device_limit_reached")),
            (404, .notFound, .unknownDevice),
            (400, .invalidRequest, .refused(code: "invalid_request")),
            (413, .bodyTooLarge, .refused(code: "body_too_large")),
        ])
    func stops(status: Int, code: ProblemCode, stop: PhoneSyncStatus.Stop) {
        var machine = syncing()
        #expect(machine.finish(refused(status, code), at: .zero).isEmpty, "nothing is deleted")
        #expect(machine.state == .stopped(stop))
        for trigger in [PhoneSyncMachine.Trigger.recorded(canWait: false), .opened, .signedIn] {
            machine.receive(trigger)
            #expect(machine.state == .stopped(stop), "\(trigger)")
        }
        machine.receive(.restarted)
        #expect(machine.state == .due)
    }

    /// Guard: a refusal that is older than its mend does not stop a phone's queue (`PhoneSyncMachine.finish`)
    @Test(
        "a refusal that was on its way when its reason was mended is tried once more",
        arguments: [PhoneSyncMachine.Trigger.restarted, .signedIn])
    func mendedMeanwhile(trigger: PhoneSyncMachine.Trigger) {
        var machine = syncing()
        machine.receive(trigger)
        machine.receive(.recorded(canWait: false))
        let outcome = trigger == .signedIn ? PhoneSyncMachine.Outcome.signedOut : refused(404, .notFound)
        #expect(machine.finish(outcome, at: .zero).isEmpty)
        #expect(machine.state == .due)
        machine.begin(Self.attempt)
        _ = machine.finish(refused(404, .notFound), at: .zero)
        #expect(machine.state == .stopped(.unknownDevice))

        var answered = syncing()
        answered.receive(trigger)
        _ = answered.finish(Self.answer, at: .zero)
        #expect(answered.state == .idle, "nothing is sent twice")
    }

    @Test("the end of the session stops the queue until the next sign-in")
    func signedOut() {
        for outcome in [PhoneSyncMachine.Outcome.signedOut, refused(401, .unauthorized)] {
            var machine = syncing()
            _ = machine.finish(outcome, at: .zero)
            machine.receive(.opened)
            #expect(machine.state == .stopped(.signedOut))
            machine.receive(.signedIn)
            #expect(machine.state == .due)
        }
    }

    @Test("a 409 or 500 of another kind is repeated")
    func others() {
        for outcome in [refused(500, .internalError), refused(409, .uploadInProgress)] {
            var machine = syncing()
            _ = machine.finish(outcome, at: .zero)
            #expect(machine.state == .waiting(until: .seconds(60), isAsked: false))
        }
    }
}
