import HTTPKit
import NIOHTTP1
import Testing

@testable import HTTPGuard

@Suite("A connection under any order of events")
struct ConnectionWalkTests {
    /// The exits of each phase, as `ConnectionState.Phase` documents them.
    private static let exits: [String: Set<String>] = [
        "betweenRequests": [
            "header", "asking", "collecting", "receiving", "refusing", "draining", "broken", "flushing",
            "closed",
        ],
        "header": [
            "asking", "collecting", "receiving", "refusing", "draining", "broken", "flushing", "closed",
        ],
        "asking": ["receiving", "refusing", "draining", "betweenRequests", "flushing"],
        "collecting": ["asking", "betweenRequests", "draining", "broken", "flushing", "closed"],
        "receiving": ["betweenRequests", "draining", "broken", "flushing", "closed"],
        "refusing": ["betweenRequests", "flushing", "closed"],
        "draining": ["betweenRequests", "flushing", "closed"],
        "broken": ["flushing", "closed"],
        "flushing": ["lingering", "closed"],
        "lingering": ["closed"],
        "closed": [],
    ]

    @Test("every phase has exactly the exits that it documents, and every request gets at most one answer")
    func walk() {
        var seen: [String: Set<String>] = [:]
        for seed in 1...4_000 as ClosedRange<UInt64> {
            var walk = Walk(seed: seed)
            for _ in 0..<60 where !walk.isDone { walk.step() }
            walk.finish()
            seen.merge(walk.transitions) { $0.union($1) }
        }
        for (phase, exits) in Self.exits {
            #expect(seen[phase, default: []] == exits, "exits of \(phase)")
        }
    }
}

/// A client, an application and a handler that do something legal at each step, and check every action.
private struct Walk {
    private enum Part { case head(Int), body, end }

    private var random: Xorshift
    private var state: ConnectionState
    private var now = ContinuousClock.now
    private(set) var transitions: [String: Set<String>] = [:]

    /// The request that the parser is in, and the bytes of its body that are still to come.
    private var parsing: (number: Int, left: Int)?
    private var requests = 0
    private var part: Part?
    /// Requests that the application has and has not answered completely, oldest first.
    private var unanswered: [Int] = []
    private var hasAnswerBegun = false
    private var forwarded: Set<Int> = []
    private var ended: Set<Int> = []
    private var answered: Set<Int> = []
    private var decisions = 0
    private var collected = 0
    private var isArmed = true
    private var readsLargeBody = false
    private var awaitsRead = false
    private var awaitsLastAnswer = false
    private(set) var isDone = false

    init(seed: UInt64) {
        random = Xorshift(state: seed)
        var options = HTTPServerOptions()
        options.maxDrainBytes = 3_000
        state = ConnectionState(options: options)
        _ = state.opened()
    }

    // MARK: Events

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...2_000, using: &random))
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<16: receive()
        case 16..<22: answer()
        case 22..<26: if perform({ $0.readRequested(now: $1) }).isEmpty { awaitsRead = true }
        case 26..<29: perform { $0.readCompleted(now: $1) }
        case 29..<31: perform { state, _ in state.continueRequested() }
        case 31..<33: if awaitsLastAnswer { written() }
        case 33: if isArmed { deadline() }
        case 34:
            let isWritable = Bool.random(using: &random)
            perform { state, _ in state.writabilityChanged(isWritable) }
        default: rareEvent()
        }
    }

    private mutating func rareEvent() {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: fail()
        case 1: perform { state, _ in state.inputClosed() }
        case 2: perform { state, _ in state.quiesce() }
        case 3: perform { state, _ in state.outputClosed() }
        case 4: perform { state, _ in state.writeDeadlinePassed() }
        default: break
        }
    }

    private mutating func receive() {
        guard state.parsesInput else { return }
        // Several parts may arrive in one read.
        if Int.random(in: 0..<3, using: &random) > 0 { perform { state, _ in state.bytesArrived(100) } }
        guard state.parsesInput, Int.random(in: 0..<4, using: &random) > 0 else { return }
        guard let (number, left) = parsing else { return receiveHead() }
        if left > 0 {
            let count = Int.random(in: 1...left, using: &random)
            parsing = (number, left - count)
            part = .body
            perform { $0.bodyArrived(count, now: $1) }
        } else {
            parsing = nil
            part = .end
            perform { state, _ in state.endArrived() }
        }
    }

    private mutating func receiveHead() {
        requests += 1
        let length = [0, 0, 0, 10, 5_000, 100_000].randomElement(using: &random) ?? 0
        var headers: HTTPHeaders = ["host": "x", "content-length": "\(length)"]
        if Int.random(in: 0..<12, using: &random) == 0 { headers.add(name: "connection", value: "close") }
        if Int.random(in: 0..<20, using: &random) == 0 { headers.add(name: "host", value: "y") }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/\(requests)", headers: headers)
        let lane: Admission.Lane = length > 50_000 || Bool.random(using: &random) ? .bulk : .short
        let body = BodyProgress(of: head, now: now)
        let isFull = Int.random(in: 0..<4, using: &random) == 0
        parsing = (requests, length)
        part = .head(requests)
        perform { state, _ in
            state.headArrived(.init(head: head, lane: lane, body: body), isFull: isFull)
        }
    }

    private mutating func fail() {
        guard state.parsesInput else { return }
        perform { state, _ in state.parserFailed(.invalidConstant) }
    }

    private mutating func answer() {
        guard state.takesAnswers, let oldest = unanswered.first else { return }
        guard hasAnswerBegun else {
            hasAnswerBegun = true
            _ = state.answerBegins(saysClose: Int.random(in: 0..<12, using: &random) == 0)
            return
        }
        hasAnswerBegun = false
        unanswered.removeFirst()
        #expect(answered.insert(oldest).inserted)
        perform { state, _ in state.answerEnded() }
    }

    private mutating func deadline() {
        isArmed = false
        perform { $0.deadlinePassed(now: $1) }
    }

    private mutating func written() {
        awaitsLastAnswer = false
        perform { state, _ in state.answersWritten() }
    }

    /// The application answers everything and the client closes: nothing may hang.
    mutating func finish() {
        while state.takesAnswers, !unanswered.isEmpty { answer() }
        if awaitsLastAnswer { written() }
        if state.isResting { deadline() }
        if case .broken = state.phase { Issue.record("a broken connection goes on without answers to come") }
        #expect(!awaitsRead || isDone, "reading does not go on")
        if state.takesAnswers { perform { state, _ in state.outputClosed() } }
        if awaitsLastAnswer { written() }
        perform { state, _ in state.inputClosed() }
        #expect(isDone || !unanswered.isEmpty || parsing != nil)
    }

    // MARK: Actions

    @discardableResult
    private mutating func perform(
        _ event: (inout ConnectionState, ContinuousClock.Instant) -> [ConnectionState.Action]
    ) -> [ConnectionState.Action] {
        let before = state.phase.name
        let actions = event(&state, now)
        let after = state.phase.name
        if before != after { transitions[before, default: []].insert(after) }
        for action in actions {
            #expect(!isDone, "nothing happens after the close")
            carryOut(action)
        }
        if actions.contains(.read) { awaitsRead = false }
        part = nil
        check()
        return actions
    }

    private mutating func carryOut(_ action: ConnectionState.Action) {
        switch action {
        case .forward: forward()
        case .forwardCollected(let head): forwardHead(number(head)); collected = 0
        case .askForPlace: ask()
        case .askLater: decisions += 1
        case .collect:
            if Int.random(in: 0..<6, using: &random) > 0 { collected += 1 } else { collectingFailed() }
        case .dropCollected: collected = 0
        case .writeOverloaded(let head, _): refuse(number(head))
        case .writeProblem: #expect(unanswered.isEmpty, "own answers come behind all others")
        case .useReadBuffers(let isLarge):
            #expect(readsLargeBody != isLarge)
            readsLargeBody = isLarge
        case .awaitLastAnswer: awaitsLastAnswer = true
        case .close: isDone = true
        case .arm: isArmed = true
        case .disarm: isArmed = false
        case .failBody, .countRefusal, .writeContinue, .flush, .read, .closeOutput, .armWriteDeadline,
            .disarmWriteDeadline:
            break
        }
    }

    private func number(_ head: HTTPRequestHead) -> Int { Int(head.uri.dropFirst()) ?? 0 }

    private mutating func forward() {
        switch part {
        case .head(let number): forwardHead(number)
        case .end: #expect(ended.insert(forwarded.max() ?? 0).inserted, "a request ends once")
        case .body, nil: break
        }
    }

    private mutating func forwardHead(_ number: Int) {
        #expect(!answered.contains(number), "a refused request reaches the application")
        #expect(forwarded.insert(number).inserted)
        unanswered.append(number)
        #expect(decisions == forwarded.count, "each request of the application has a decision")
    }

    private mutating func refuse(_ number: Int) {
        #expect(unanswered.isEmpty, "a refusal overtakes an answer")
        #expect(!forwarded.contains(number), "the application has a refused request")
        #expect(answered.insert(number).inserted, "a request has two answers")
    }

    private mutating func ask() {
        let part = part
        let isGranted = Int.random(in: 0..<4, using: &random) > 0
        if isGranted { decisions += 1 }
        let before = state.phase.name
        let actions = isGranted ? state.placeGranted() : state.placeRefused()
        transitions[before, default: []].insert(state.phase.name)
        self.part = part
        for action in actions { carryOut(action) }
    }

    private mutating func collectingFailed() {
        let before = state.phase.name
        let actions = state.collectingFailed()
        transitions[before, default: []].insert(state.phase.name)
        for action in actions { carryOut(action) }
    }

    private mutating func check() {
        #expect(state.openRequests.count == unanswered.count || !state.takesAnswers)
        #expect(state.openRequests.count <= OpenRequests.maxCount)
        switch state.phase {
        case .header, .collecting, .draining, .flushing, .lingering: #expect(isArmed, "no deadline")
        case .betweenRequests: #expect(isArmed == unanswered.isEmpty, "no deadline for an idle client")
        case .receiving(let request): #expect(isArmed == !request.body.isEmpty, "no deadline for a body")
        case .broken: #expect(!isArmed && !unanswered.isEmpty)
        case .refusing: #expect(unanswered.isEmpty)
        case .asking: Issue.record("the handler did not look for a place")
        case .closed: break
        }
        if case .collecting = state.phase {} else if !isDone { #expect(collected == 0, "memory is held") }
        if case .betweenRequests = state.phase { #expect(!readsLargeBody) }
    }
}

private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &*= 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
        state &+= 0x1234_5678_9ABC_DEF1
        return state ^ state << 17
    }
}
