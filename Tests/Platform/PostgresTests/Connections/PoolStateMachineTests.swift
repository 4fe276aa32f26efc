import Testing

@testable import Postgres

@Suite("The pool's state machine")
struct PoolStateMachineTests {
    private let start = ContinuousClock.now
    private let lost = PostgresError.unavailable(.connecting(.nothingListens))

    private func machine(maxConnections: Int = 2, maxWaiting: Int = 100) -> PoolStateMachine {
        PoolStateMachine(
            .init(
                maxConnections: maxConnections, maxWaiting: maxWaiting, acquireTimeout: .seconds(5),
                idleTimeout: .seconds(60)))
    }

    /// A machine with this many idle connections, numbered from 1.
    private func machine(idle count: Int, maxConnections: Int = 2) -> PoolStateMachine {
        var pool = machine(maxConnections: maxConnections)
        for id in 1...count { _ = pool.request(-id, now: start) }
        for id in 1...count { _ = pool.connected(id, now: start) }
        for id in 1...count { _ = pool.finished(id, broken: false, now: start) }
        return pool
    }

    @Test("the first request opens a connection and runs on it")
    func opensOnDemand() {
        var pool = machine()
        #expect(pool.request(1, now: start) == [.open(1, after: .zero)])
        #expect(pool.connected(1, now: start) == [.run([1], on: 1)])
        #expect(pool.inUse == 1)
    }

    @Test("an idle connection is used before another is opened, the latest one first")
    func reusesIdle() {
        var pool = machine(idle: 2)
        #expect(pool.request(3, now: start) == [.run([3], on: 2)])
        #expect(pool.request(4, now: start) == [.run([4], on: 1)])
    }

    @Test("no more connections are opened than allowed")
    func limitsConnections() {
        var pool = machine(maxConnections: 2)
        #expect(pool.request(1, now: start) == [.open(1, after: .zero)])
        #expect(pool.request(2, now: start) == [.open(2, after: .zero)])
        #expect(pool.request(3, now: start) == [])
        #expect(pool.connectionCount == 2)
    }

    @Test("the caller that waits longest comes first")
    func isFair() {
        var pool = machine(maxConnections: 1)
        for id in 1...4 { _ = pool.request(id, now: start) }
        #expect(pool.connected(1, now: start) == [.run([1], on: 1)])
        #expect(pool.finished(1, broken: false, now: start) == [.run([2], on: 1)])
        #expect(pool.finished(1, broken: false, now: start) == [.run([3], on: 1)])
        #expect(pool.finished(1, broken: false, now: start) == [.run([4], on: 1)])
    }

    @Test("a wait ends after the acquire timeout, and not before")
    func timesOut() {
        var pool = machine(idle: 1, maxConnections: 1)
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start + .seconds(1))
        _ = pool.request(3, now: start + .seconds(2))
        #expect(pool.tick(now: start + .seconds(5)) == [])
        #expect(pool.tick(now: start + .seconds(6)) == [.fail(2, .acquireTimeout)])
        #expect(pool.finished(1, broken: false, now: start + .seconds(6)) == [.run([3], on: 1)])
    }

    @Test("a wait that ends without a connection reports the database as the cause")
    func timesOutConnecting() {
        var pool = machine()
        _ = pool.request(1, now: start)
        let actions = pool.tick(now: start + .seconds(6))
        #expect(actions == [.fail(1, .unavailable(.connectingTooSlow))])
    }

    @Test("a queue that is full takes no more")
    func limitsQueue() {
        var pool = machine(maxConnections: 1, maxWaiting: 2)
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        #expect(pool.request(3, now: start) == [.fail(3, .acquireTimeout)])
    }

    @Test("a cancelled waiter gets an error and its turn goes to the next")
    func cancels() {
        var pool = machine(idle: 1, maxConnections: 1)
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        _ = pool.request(3, now: start)
        #expect(pool.cancel(2) == [.fail(2, .unavailable(.cancelled))])
        #expect(pool.cancel(2) == [])
        #expect(pool.cancel(1) == [], "it has its connection")
        #expect(pool.finished(1, broken: false, now: start) == [.run([3], on: 1)])
    }

    @Test("a broken connection is replaced for waiting requests, and only for them")
    func replacesBroken() {
        var pool = machine(idle: 1, maxConnections: 1)
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        #expect(pool.finished(1, broken: true, now: start) == [.open(2, after: .zero)])
        #expect(pool.connected(2, now: start) == [.run([2], on: 2)])
        #expect(pool.finished(2, broken: true, now: start) == [])
        #expect(pool.connectionCount == 0)
    }

    /// Guard: a lost or read-only server loses all connections of the pool, busy ones when their requests end
    /// (`PoolStateMachine.lostServer`)
    @Test("when a server is lost, idle connections are closed at once and busy ones when their requests end")
    func lostServer() {
        var pool = machine(idle: 3, maxConnections: 3)
        #expect(pool.request(1, now: start) == [.run([1], on: 3)])
        #expect(pool.request(2, now: start) == [.run([2], on: 2)])
        #expect(pool.lostServer(by: 3) == [.close(1)])
        #expect(pool.finished(3, broken: true, now: start) == [])
        #expect(pool.request(4, now: start) == [.open(4, after: .zero)])
        #expect(pool.closed(1, now: start) == [])
        #expect(pool.isOutdated(2) && !pool.isOutdated(4))
        #expect(pool.finished(2, broken: false, now: start) == [.close(2)])
        #expect(pool.connected(4, now: start) == [.run([4], on: 4)])
        #expect(pool.finished(4, broken: false, now: start) == [], "the new server's connection stays")
        #expect(pool.closed(2, now: start) == [])
        #expect(pool.request(5, now: start) == [.run([5], on: 4)])
    }

    @Test("a request whose connection was found dead keeps its place and its deadline")
    func foundDead() {
        var pool = machine(idle: 1, maxConnections: 1)
        #expect(pool.request(1, now: start) == [.run([1], on: 1)])
        _ = pool.request(2, now: start + .seconds(1))
        #expect(pool.foundDead(1, now: start) == [.open(2, after: .zero)])
        #expect(pool.tick(now: start + .milliseconds(5500)).count == 1)
        #expect(pool.connected(2, now: start) == [.run([2], on: 2)])
    }

    /// Guard: a failed attempt to connect fails no request that a busy connection will serve, and an old
    /// failure counts no more (`PoolStateMachine.connectFailed`, `.finished`)
    @Test("a server that takes no further connection fails nobody whom a busy one will serve")
    func scarceConnections() {
        var pool = machine(idle: 1, maxConnections: 2)
        #expect(pool.request(1, now: start) == [.run([1], on: 1)])
        #expect(pool.request(2, now: start) == [.open(2, after: .zero)])
        #expect(pool.connectFailed(2, lost, now: start) == [.open(3, after: .milliseconds(20))])
        #expect(
            pool.connectFailed(3, lost, now: start + .seconds(3)) == [.open(4, after: .milliseconds(40))])
        #expect(pool.finished(1, broken: false, now: start + .seconds(3)) == [.run([2], on: 1)])
    }

    /// Guard: a failed attempt to connect fails no request that a busy connection will serve, and an old
    /// failure counts no more (`PoolStateMachine.connectFailed`, `.finished`)
    @Test("a failure of long ago does not use up the patience of a later one")
    func patienceBeginsAnew() {
        var pool = machine(idle: 1, maxConnections: 2)
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        _ = pool.connectFailed(2, lost, now: start)
        _ = pool.finished(1, broken: false, now: start)
        _ = pool.finished(1, broken: true, now: start)
        let later = start + .seconds(3_600)
        #expect(pool.request(3, now: later).isEmpty, "an attempt is under way")
        #expect(pool.connectFailed(3, lost, now: later) == [.open(4, after: .milliseconds(40))])
    }

    @Test("one connection retries for a while, then waiting requests get the error")
    func connectFailures() {
        var pool = machine()
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        #expect(pool.connectFailed(1, lost, now: start) == [], "the other one is still trying")
        #expect(
            pool.connectFailed(2, lost, now: start + .milliseconds(1)) == [.open(3, after: .milliseconds(40))]
        )
        #expect(
            pool.connectFailed(3, lost, now: start + .seconds(2)) == [.fail(1, lost), .fail(2, lost)])
        // During the outage, later requests wait for one attempt only.
        guard case .open(4, let pause)? = pool.request(3, now: start + .seconds(3)).first else {
            Issue.record("no attempt for a new request")
            return
        }
        #expect(pause > .zero && pause <= .milliseconds(250))
        #expect(pool.connectFailed(4, lost, now: start + .seconds(3)) == [.fail(3, lost)])
    }

    @Test("the first success ends an outage for all")
    func recovers() {
        var pool = machine()
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        _ = pool.connectFailed(1, lost, now: start)
        _ = pool.connectFailed(2, lost, now: start)
        #expect(pool.connected(3, now: start) == [.run([1], on: 3), .open(4, after: .zero)])
        #expect(pool.connected(4, now: start) == [.run([2], on: 4)])
    }

    @Test("a connection that stood idle for long is closed, a used one is not")
    func closesIdle() {
        var pool = machine(idle: 2)
        _ = pool.request(3, now: start + .seconds(59))
        _ = pool.finished(2, broken: false, now: start + .seconds(59))
        #expect(pool.tick(now: start + .seconds(60)) == [.close(1)])
        #expect(pool.request(4, now: start + .seconds(60)) == [.run([4], on: 2)])
        #expect(pool.closed(1, now: start) == [])
        #expect(pool.connectionCount == 1)
    }

    @Test("a shutdown refuses waiting requests, closes idle connections and lets running requests finish")
    func shutsDown() {
        var pool = machine(idle: 2)
        _ = pool.request(1, now: start)
        let closed = PostgresError.unavailable(.clientClosed)
        #expect(pool.shutDown() == [.close(1)])
        #expect(pool.request(2, now: start) == [.fail(2, closed)])
        #expect(pool.closed(1, now: start) == [])
        #expect(pool.finished(2, broken: false, now: start) == [.close(2)])
        #expect(pool.closed(2, now: start) == [.finish])
        #expect(pool.shutDown() == [])
    }

    @Test("a shutdown ends connections that are still connecting")
    func shutsDownConnecting() {
        var pool = machine()
        _ = pool.request(1, now: start)
        _ = pool.request(2, now: start)
        #expect(pool.shutDown().count == 2)
        #expect(pool.connected(1, now: start) == [.close(1)])
        #expect(pool.connectFailed(2, lost, now: start) == [])
        #expect(pool.closed(1, now: start) == [.finish])
    }

    @Test("reads that wait run together, up to the limit, and other requests run alone")
    func readsTogether() {
        var pool = machine(maxConnections: 1)
        for id in 1...34 { _ = pool.request(id, isRead: true, now: start) }
        _ = pool.request(35, now: start)
        #expect(pool.connected(1, now: start) == [.run(Array(1...32), on: 1)])
        #expect(pool.inUse == 1)
        #expect(pool.finished(1, broken: false, now: start) == [.run([33, 34], on: 1)])
        #expect(pool.finished(1, broken: false, now: start) == [.run([35], on: 1)])
    }

    @Test("one connection runs reads, and idle ones are left to other requests")
    func oneReader() {
        var pool = machine(idle: 3, maxConnections: 3)
        #expect(pool.request(1, isRead: true, now: start) == [.run([1], on: 3)])
        #expect(pool.request(2, isRead: true, now: start) == [])
        #expect(pool.request(3, now: start) == [.run([3], on: 2)])
        #expect(pool.finished(3, broken: false, now: start) == [.run([2], on: 3)])
    }

    /// Guard: a read waits no longer than 20 ms for a connection that does not answer
    /// (`PoolStateMachine.isReading`, `.isOld`)
    @Test("a read that has waited for 20 milliseconds gets a connection of its own")
    func pressingRead() {
        var pool = machine(idle: 2, maxConnections: 2)
        _ = pool.request(1, isRead: true, now: start)
        _ = pool.request(2, isRead: true, now: start)
        _ = pool.finished(2, broken: false, now: start + .milliseconds(10))
        #expect(pool.request(3, isRead: true, now: start + .milliseconds(10)) == [])
        #expect(pool.tick(now: start + .milliseconds(29)) == [])
        #expect(pool.tick(now: start + .milliseconds(30)) == [.run([3], on: 1)])
    }

    /// Guard: a read waits no longer than 20 ms for a connection that does not answer
    /// (`PoolStateMachine.isReading`, `.isOld`)
    @Test("reads do not wait for a connection that has not answered for 20 milliseconds")
    func slowReader() {
        var pool = machine(idle: 1, maxConnections: 2)
        _ = pool.request(1, isRead: true, now: start)
        #expect(pool.request(2, isRead: true, now: start + .milliseconds(19)) == [])
        #expect(pool.request(3, isRead: true, now: start + .milliseconds(20)) == [.open(2, after: .zero)])
        #expect(pool.connected(2, now: start + .milliseconds(21)) == [.run([2, 3], on: 2)])
    }

    @Test("a read is refused when as many wait for the reading connection as may wait")
    func tooManyReads() {
        var pool = machine(maxConnections: 1, maxWaiting: 2)
        _ = pool.request(1, isRead: true, now: start)
        _ = pool.connected(1, now: start)
        for id in 2...3 { #expect(pool.request(id, isRead: true, now: start) == []) }
        #expect(pool.request(4, isRead: true, now: start) == [.fail(4, .acquireTimeout)])
        #expect(pool.finished(1, broken: false, now: start) == [.run([2, 3], on: 1)])
    }

    @Test("reads that come at once open one connection")
    func opensForReads() {
        var pool = machine(maxConnections: 6)
        let actions = (1...20).flatMap { pool.request($0, isRead: true, now: start) }
        #expect(actions == [.open(1, after: .zero)])
    }

    @Test("all reads of a dead connection go to the head of the queue")
    func deadReader() {
        var pool = machine(idle: 1, maxConnections: 1)
        for id in 1...4 { _ = pool.request(id, isRead: true, now: start) }
        #expect(pool.finished(1, broken: false, now: start) == [.run([2, 3, 4], on: 1)])
        _ = pool.request(5, now: start)
        #expect(pool.foundDead(1, now: start) == [.open(2, after: .zero)])
        #expect(pool.connected(2, now: start) == [.run([2, 3, 4], on: 2)])
    }

    @Test("an unused pool shuts down at once")
    func shutsDownUnused() {
        var pool = machine()
        #expect(pool.shutDown() == [.finish])
    }

    @Test(
        "in any order of events every request is answered once and the limit holds",
        arguments: 1...40)
    func holdsItsInvariants(seed: UInt64) {
        var random = Xorshift(state: seed)
        var pool = machine(maxConnections: 3)
        var now = start
        var (connecting, idleOrBusy, closing) = (Set<Int>(), Set<Int>(), Set<Int>())
        var (running, answered, asked, reads) = ([Int: [Int]](), Set<Int>(), Set<Int>(), Set<Int>())
        func apply(_ actions: [PoolStateMachine.Action]) {
            for action in actions {
                switch action {
                case .open(let id, _): connecting.insert(id)
                case .run(let requests, let id):
                    #expect(running.updateValue(requests, forKey: id) == nil)
                    #expect(answered.isDisjoint(with: requests))
                    #expect(requests.count == 1 || reads.isSuperset(of: requests))
                case .close(let id):
                    #expect(running[id] == nil)
                    idleOrBusy.remove(id)
                    closing.insert(id)
                case .fail(let request, _): #expect(answered.insert(request).inserted)
                case .finish: break
                }
            }
            #expect(connecting.count + idleOrBusy.count + closing.count <= 3)
        }
        for step in 1...600 {
            now += .milliseconds(Int.random(in: 0...900, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                asked.insert(step)
                let isRead = Bool.random(using: &random)
                if isRead { reads.insert(step) }
                apply(pool.request(step, isRead: isRead, now: now))
            case 2:
                if let id = connecting.popFirst() {
                    idleOrBusy.insert(id)
                    apply(pool.connected(id, now: now))
                }
            case 3:
                if let id = connecting.popFirst() { apply(pool.connectFailed(id, lost, now: now)) }
            case 4, 5:
                if let (id, requests) = running.first {
                    running[id] = nil
                    answered.formUnion(requests)
                    let broken = Bool.random(using: &random)
                    if broken { idleOrBusy.remove(id) }
                    apply(pool.finished(id, broken: broken, now: now))
                }
            case 6: if let id = closing.popFirst() { apply(pool.closed(id, now: now)) }
            default:
                apply(pool.tick(now: now))
                if let request = asked.randomElement(using: &random) { apply(pool.cancel(request)) }
                if let (id, _) = running.first {
                    running[id] = nil
                    idleOrBusy.remove(id)
                    apply(pool.foundDead(id, now: now))
                }
            }
        }
        apply(pool.shutDown())
        for (_, requests) in running { answered.formUnion(requests) }
        #expect(asked.subtracting(answered).isEmpty)
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
