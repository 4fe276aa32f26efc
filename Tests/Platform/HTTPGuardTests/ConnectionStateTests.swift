import HTTPKit
import NIOHTTP1
import Testing

@testable import HTTPGuard

@Suite("The state of a connection")
struct ConnectionStateTests {
    typealias Action = ConnectionState.Action

    private let start = ContinuousClock.now

    private func head(
        _ method: HTTPMethod = .GET, _ fields: HTTPHeaders = [:], version: HTTPVersion = .http1_1
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["host": "x"]
        headers.add(contentsOf: fields)
        return HTTPRequestHead(version: version, method: method, uri: "/", headers: headers)
    }

    private func post(_ length: Int, _ fields: HTTPHeaders = [:]) -> HTTPRequestHead {
        var all: HTTPHeaders = ["content-length": "\(length)"]
        all.add(contentsOf: fields)
        return head(.POST, all)
    }

    private func incoming(
        _ head: HTTPRequestHead, _ lane: Admission.Lane = .short
    ) -> ConnectionState.IncomingRequest {
        .init(head: head, lane: lane, body: BodyProgress(of: head, now: start))
    }

    private func phase(_ state: ConnectionState) -> String { state.phase.name }

    /// A connection whose application has a request that is not answered.
    private func working(
        on head: HTTPRequestHead? = nil, _ lane: Admission.Lane = .short, isComplete: Bool = true,
        options: HTTPServerOptions = HTTPServerOptions()
    ) -> ConnectionState {
        var state = ConnectionState(options: options)
        _ = state.headArrived(incoming(head ?? self.head(), lane), isFull: false)
        _ = state.placeGranted()
        if isComplete { _ = state.endArrived() }
        return state
    }

    private func collecting(behindOpenRequest isBehind: Bool = false) -> ConnectionState {
        var state = isBehind ? working() : ConnectionState(options: HTTPServerOptions())
        _ = state.headArrived(incoming(post(100)), isFull: false)
        return state
    }

    private func draining() -> ConnectionState {
        var state = working(on: post(1 << 20), .bulk, isComplete: false)
        _ = state.answerBegins(saysClose: false)
        _ = state.answerEnded()
        return state
    }

    private let ending: [Action] = [.flush, .arm(.flush), .awaitLastAnswer]

    // MARK: One request

    @Test("a request takes a place, reaches the application, and its answer leaves the connection open")
    func request() {
        var state = ConnectionState(options: HTTPServerOptions())
        #expect(state.opened() == [.arm(.header)])
        #expect(state.bytesArrived(40) == [.arm(.header)])
        #expect(phase(state) == "header")
        #expect(state.headArrived(incoming(head()), isFull: false) == [.disarm, .askForPlace(.short)])
        #expect(state.placeGranted() == [.forward])
        #expect(phase(state) == "receiving")
        #expect(state.endArrived() == [.disarm, .forward])
        #expect(phase(state) == "betweenRequests")
        #expect(state.answerBegins(saysClose: false) == false)
        #expect(state.answerEnded() == [.arm(.nextRequest)])
    }

    @Test("a request without a place is answered when it ends, and the connection stays open")
    func refused() {
        var state = ConnectionState(options: HTTPServerOptions())
        #expect(
            state.headArrived(incoming(head()), isFull: true) == [.disarm, .countRefusal(.short)])
        #expect(phase(state) == "refusing")
        #expect(
            state.endArrived() == [.disarm, .writeOverloaded(head(), closes: false), .arm(.rest)])
        _ = state.headArrived(incoming(head()), isFull: false)
        #expect(state.placeRefused() == [.countRefusal(.short)])
        #expect(phase(state) == "refusing")
    }

    /// A connection whose only request was refused.
    private func resting() -> ConnectionState {
        var state = ConnectionState(options: HTTPServerOptions())
        _ = state.headArrived(incoming(head()), isFull: true)
        _ = state.endArrived()
        return state
    }

    /// Guard: refused clients that ask again at once do not take the processor (HTTPGuard
    /// `ConnectionState.rest`, `ConnectionState.wake`)
    @Test("behind a refusal nothing is read until the rest is over")
    func rest() {
        var state = resting()
        #expect(state.readRequested(now: start) == [])
        #expect(state.deadlinePassed(now: start) == [.read, .arm(.nextRequest)])
        #expect(state.readRequested(now: start) == [.read])
        #expect(state.deadlinePassed(now: start) == [.close])
        var unasked = resting()
        #expect(unasked.deadlinePassed(now: start) == [.arm(.nextRequest)])
    }

    /// Guard: refused clients that ask again at once do not take the processor (HTTPGuard
    /// `ConnectionState.rest`, `ConnectionState.wake`)
    @Test("a request that came in one read with a refused one ends the rest")
    func restEnds() {
        var state = resting()
        _ = state.readRequested(now: start)
        #expect(
            state.headArrived(incoming(head()), isFull: false) == [.read, .disarm, .askForPlace(.short)])
        var partial = resting()
        _ = partial.readRequested(now: start)
        #expect(partial.bytesArrived(10) == [.arm(.header), .read])
        #expect(partial.readRequested(now: start) == [.read])
    }

    @Test("a resting connection ends with the service, and reads the request that may be on its way")
    func restAndEnd() {
        var state = resting()
        _ = state.readRequested(now: start)
        #expect(state.quiesce() == [.read, .arm(.quiesce)])
        #expect(state.deadlinePassed(now: start) == [.close])
        var closed = resting()
        #expect(closed.outputClosed() == ending)
        #expect(closed.answersWritten() == [.closeOutput, .arm(.linger), .read])
        #expect(closed.deadlinePassed(now: start) == [.close])
    }

    @Test("a large body without a place is refused before it is read, and the connection ends behind it")
    func refusedBody() {
        var state = ConnectionState(options: HTTPServerOptions())
        let large = post(1 << 20)
        #expect(
            state.headArrived(incoming(large, .bulk), isFull: true) == [
                .arm(.body), .countRefusal(.bulk), .writeOverloaded(large, closes: true), .arm(.drain), .read,
            ])
        #expect(phase(state) == "draining")
        #expect(state.bodyArrived(1 << 20, now: start) == [])
        #expect(state.readCompleted(now: start) == [.read])
        #expect(state.endArrived() == [.disarm] + ending)
    }

    @Test("a short body without a place costs no connection")
    func refusedShortBody() {
        var state = ConnectionState(options: HTTPServerOptions())
        #expect(
            state.headArrived(incoming(post(5)), isFull: true) == [
                .arm(.body), .countRefusal(.short), .writeOverloaded(post(5), closes: false), .arm(.drain),
                .read,
            ])
        #expect(state.endArrived() == [.disarm, .arm(.nextRequest)])
    }

    /// Guard: unread refusals to a client are bounded (`ConnectionState.answerOverloaded`)
    @Test("a client that takes no refusals gets one more, which is the last")
    func unread() {
        var state = ConnectionState(options: HTTPServerOptions())
        #expect(state.writabilityChanged(false) == [.armWriteDeadline])
        _ = state.headArrived(incoming(head()), isFull: true)
        #expect(state.endArrived() == [.disarm, .writeOverloaded(head(), closes: true)] + ending)
        #expect(state.headArrived(incoming(head()), isFull: true) == [])
        #expect(state.writabilityChanged(true) == [.disarmWriteDeadline])
    }

    @Test("a large body is read into large buffers, and only while it arrives")
    func buffers() {
        var state = ConnectionState(options: HTTPServerOptions())
        _ = state.headArrived(incoming(post(1 << 20), .bulk), isFull: false)
        #expect(state.placeGranted() == [.useReadBuffers(isLarge: true), .forward])
        #expect(state.bodyArrived(1 << 20, now: start) == [.forward])
        #expect(state.endArrived() == [.disarm, .useReadBuffers(isLarge: false), .forward])
    }

    @Test("100 Continue is sent once, when the application reads, and not when it refuses")
    func expectContinue() {
        let waiting = post(1 << 20, ["expect": "100-continue"])
        var state = working(on: waiting, .bulk, isComplete: false)
        #expect(state.continueRequested() == [.writeContinue])
        #expect(state.continueRequested() == [])
        var impatient = working(on: waiting, .bulk, isComplete: false)
        _ = impatient.bodyArrived(1, now: start)
        #expect(impatient.continueRequested() == [])
        var refused = working(on: post(5, ["expect": "100-continue"]), .bulk, isComplete: false)
        #expect(refused.answerBegins(saysClose: false) == true, "the client may never send the body")
        _ = refused.answerEnded()
        #expect(refused.continueRequested() == [])
    }

    // MARK: Small bodies

    @Test("a small body is collected before its request asks for a place")
    func collected() {
        var state = collecting()
        #expect(phase(state) == "collecting")
        #expect(state.bodyArrived(100, now: start) == [.collect])
        #expect(state.endArrived() == [.disarm, .askForPlace(.short)])
        #expect(phase(state) == "asking")
        #expect(state.placeGranted() == [.forwardCollected(post(100)), .forward])
        #expect(phase(state) == "betweenRequests")
    }

    @Test("a collected request without a place is refused, and its bytes are dropped")
    func collectedAndRefused() {
        var state = collecting()
        _ = state.endArrived()
        #expect(
            state.placeRefused() == [
                .dropCollected, .countRefusal(.short), .writeOverloaded(post(100), closes: false),
                .arm(.rest),
            ])
    }

    @Test("a collected request behind an open one looks for its place later")
    func collectedBehind() {
        var state = collecting(behindOpenRequest: true)
        #expect(
            state.endArrived() == [.disarm, .askLater(.short), .forwardCollected(post(100)), .forward])
        #expect(state.openRequests.count == 2)
    }

    @Test("without memory for a small body its request is refused, behind the answers that are due")
    func collectingFailed() {
        var alone = collecting()
        #expect(
            alone.collectingFailed() == [
                .dropCollected, .countRefusal(.short), .writeOverloaded(post(100), closes: false),
                .arm(.drain), .read,
            ])
        #expect(phase(alone) == "draining")
        var behind = collecting(behindOpenRequest: true)
        #expect(behind.collectingFailed() == [.countRefusal(.short), .dropCollected, .disarm])
        #expect(phase(behind) == "broken")
        #expect(behind.answerBegins(saysClose: false) == false, "the refusal is the last answer")
        #expect(behind.answerEnded() == [.writeProblem(.overloaded())] + ending)
    }

    // MARK: Answers

    @Test("an answer before the end of a body drains it, up to a limit; the application gets its end")
    func drained() {
        var state = working(on: post(1 << 20), .bulk, isComplete: false)
        #expect(state.answerBegins(saysClose: false) == true)
        #expect(state.answerEnded() == [.arm(.drain), .flush, .read])
        #expect(state.bodyArrived(1000, now: start) == [])
        var endless = state
        #expect(endless.bodyArrived(HTTPServerOptions().maxDrainBytes, now: start) == [.close])
        #expect(phase(endless) == "closed")
        #expect(state.outputClosed() == [], "the drain goes on")
        #expect(state.endArrived() == [.disarm, .useReadBuffers(isLarge: false), .forward] + ending)
    }

    @Test("an answer before the end of a short body leaves the connection open")
    func drainedShortBody() {
        var state = working(on: post(5), .bulk, isComplete: false)
        #expect(state.answerBegins(saysClose: false) == false)
        _ = state.answerEnded()
        #expect(
            state.endArrived() == [
                .disarm, .useReadBuffers(isLarge: false), .forward, .arm(.nextRequest),
            ])
    }

    @Test(
        "the last request's answer says that the connection closes",
        arguments: [["connection": "close"], ["connection": "upgrade", "upgrade": "h2c"]] as [HTTPHeaders])
    func lastRequest(fields: HTTPHeaders) {
        var state = working(on: head(.GET, fields))
        #expect(state.headArrived(incoming(head()), isFull: false) == [.disarm])
        #expect(phase(state) == "broken")
        #expect(state.answerBegins(saysClose: false) == true)
        #expect(state.answerEnded() == ending)
        #expect(phase(state) == "flushing")
    }

    @Test("HTTP/1.0 and an answer with Connection: close end the connection")
    func closes() {
        var old = working(on: head(version: .http1_0))
        #expect(old.answerBegins(saysClose: false) == true)
        var state = working()
        #expect(state.answerBegins(saysClose: true) == true)
        #expect(state.answerEnded() == ending)
    }

    @Test("sixteen unanswered requests stop the reading, and the last answer lets it go on until the end")
    func sixteen() {
        var state = working()
        for _ in 1..<16 {
            #expect(
                state.headArrived(incoming(head()), isFull: true) == [.disarm, .askLater(.short), .forward])
            #expect(state.endArrived() == [.disarm, .forward])
        }
        #expect(state.readRequested(now: start) == [.read])
        #expect(state.headArrived(incoming(head()), isFull: false) == [.disarm])
        #expect(state.readRequested(now: start) == [])
        #expect(!state.parsesInput)
        for _ in 1..<16 {
            #expect(state.answerBegins(saysClose: false) == false)
            #expect(state.answerEnded() == [])
        }
        #expect(state.answerBegins(saysClose: false) == true)
        #expect(state.answerEnded() == ending)
        #expect(state.answersWritten() == [.closeOutput, .arm(.linger), .read])
    }

    @Test("the application can end the connection at any time but one: a drain goes on")
    func outputClosed() {
        var state = collecting()
        #expect(state.outputClosed() == [.dropCollected] + ending)
        #expect(state.outputClosed() == [])
        #expect(!state.takesAnswers)
    }

    // MARK: Faults

    @Test("a malformed message is answered, behind the answers that are due")
    func malformed() {
        let problem = Problem.malformedMessage
        for var state in [ConnectionState(options: HTTPServerOptions()), refusing()] {
            #expect(
                state.parserFailed(.invalidConstant) == [.disarm, .writeProblem(problem)] + ending)
            #expect(phase(state) == "flushing")
            #expect(state.parserFailed(.invalidConstant) == [])
        }
        var collecting = collecting()
        #expect(
            collecting.parserFailed(.invalidConstant)
                == [.dropCollected, .disarm, .writeProblem(problem)] + ending)
        var state = working()
        #expect(state.parserFailed(.invalidConstant) == [.disarm])
        #expect(phase(state) == "broken")
        #expect(state.answerEnded() == [.writeProblem(problem)] + ending)
    }

    private func refusing() -> ConnectionState {
        var state = ConnectionState(options: HTTPServerOptions())
        _ = state.headArrived(incoming(head()), isFull: true)
        return state
    }

    @Test("a malformed body is reported to the application that reads it, and ends a drain")
    func malformedBody() {
        var state = working(on: post(1 << 20), .bulk, isComplete: false)
        #expect(
            state.parserFailed(.invalidChunkSize) == [.disarm, .failBody(.malformed(.invalidChunkSize))])
        #expect(phase(state) == "broken")
        #expect(state.answerBegins(saysClose: false) == true)
        #expect(state.answerEnded() == ending)
        var drain = draining()
        #expect(drain.parserFailed(.invalidChunkSize) == [.close])
    }

    @Test("behind an answer that ends the connection faults are not reported")
    func behindLast() {
        var state = working(on: head(.GET, ["connection": "close"]))
        #expect(state.parserFailed(.invalidConstant) == [.disarm])
        #expect(state.answerEnded() == ending)
    }

    @Test("two Host fields are refused before a place is asked for")
    func violation() {
        var state = ConnectionState(options: HTTPServerOptions())
        let actions = state.headArrived(incoming(head(.GET, ["host": "y"])), isFull: false)
        #expect(actions.first == .disarm)
        #expect(Array(actions.suffix(3)) == ending)
    }

    @Test("a chunked body with too much framing is malformed")
    func framing() {
        let chunked = head(.POST, ["transfer-encoding": "chunked"])
        var state = working(on: chunked, .bulk, isComplete: false)
        #expect(state.bytesArrived(16 << 10) == [])
        #expect(state.bytesParsed() == [])
        _ = state.bytesArrived(1)
        #expect(state.bytesParsed() == [.disarm, .failBody(.malformed(.invalidChunkSize))])
    }

    // MARK: Time

    @Test("a silent client is closed without a word, and a slow header is answered")
    func slowHeader() {
        var silent = ConnectionState(options: HTTPServerOptions())
        #expect(silent.deadlinePassed(now: start) == [.close])
        var slow = ConnectionState(options: HTTPServerOptions())
        _ = slow.bytesArrived(1)
        #expect(slow.deadlinePassed(now: start) == [.disarm, .writeProblem(.bodyTooSlow)] + ending)
    }

    @Test("a slow body is looked at again until it is too slow")
    func slowBody() {
        let later = start + HTTPServerOptions().bodyTimeout
        var state = working(on: post(1 << 20), .bulk, isComplete: false)
        #expect(state.deadlinePassed(now: start) == [.arm(.body)])
        #expect(state.deadlinePassed(now: later) == [.disarm, .failBody(.tooSlow)])
        #expect(phase(state) == "broken")
        var small = collecting()
        #expect(small.deadlinePassed(now: start) == [.arm(.body)])
        #expect(
            small.deadlinePassed(now: later)
                == [.dropCollected, .disarm, .writeProblem(.bodyTooSlow)] + ending)
    }

    @Test("a drain, a last answer and a client's end have their deadlines")
    func endings() {
        var drain = draining()
        #expect(drain.deadlinePassed(now: start) == [.close])
        var state = ConnectionState(options: HTTPServerOptions())
        _ = state.outputClosed()
        var flushing = state
        #expect(flushing.deadlinePassed(now: start) == [.close])
        _ = state.answersWritten()
        #expect(phase(state) == "lingering")
        #expect(state.readCompleted(now: start) == [.read])
        #expect(state.deadlinePassed(now: start) == [.close])
        var unread = working()
        #expect(unread.writeDeadlinePassed() == [.close])
        #expect(!unread.takesAnswers)
    }

    @Test("a client that has closed its side gets its answer and the end")
    func inputClosed() {
        var state = working()
        #expect(state.inputClosed() == [])
        #expect(state.answerBegins(saysClose: false) == false)
        #expect(state.answerEnded() == ending)
        #expect(state.answersWritten() == [.close])
        var lingering = ConnectionState(options: HTTPServerOptions())
        _ = lingering.outputClosed()
        var flushing = lingering
        #expect(flushing.inputClosed() == [], "the last answer is still on its way")
        #expect(flushing.answersWritten() == [.close])
        _ = lingering.answersWritten()
        #expect(lingering.inputClosed() == [.close])
    }

    @Test("when the service ends, an idle connection waits for a moment, and an answer is the last one")
    func quiescing() {
        var idle = ConnectionState(options: HTTPServerOptions())
        #expect(idle.quiesce() == [.arm(.quiesce)])
        _ = idle.headArrived(incoming(head()), isFull: false)
        _ = idle.placeGranted()
        _ = idle.endArrived()
        #expect(idle.answerBegins(saysClose: false) == true)
        #expect(idle.answerEnded() == ending)
        var busy = working()
        #expect(busy.quiesce() == [])
        _ = busy.bytesArrived(1)
        #expect(busy.answerBegins(saysClose: false) == false, "another request is on its way")
        #expect(busy.answerEnded() == [])
        #expect(phase(busy) == "header")
        var refused = refusing()
        _ = refused.quiesce()
        #expect(refused.endArrived() == [.disarm, .writeOverloaded(head(), closes: true)] + ending)
    }
}

extension ConnectionState.Phase {
    /// The case without its values.
    var name: String { String("\(self)".prefix { $0.isLetter }) }
}
