import DaylyTesting
import Foundation
import ProgramTesting

/// Plays one membership: sends a photo each day, and does everything else that the plan says.
struct Player: Sendable {
    let seat: Seat
    let crowd: Crowd
    let servers: Servers
    let gate: Gate

    private var person: Client { seat.person }
    private var world: World { seat.person.world }

    func play(_ turn: RandomPlan.Turn, day: Int) async throws {
        if turn.triesHostileFile { await provoke() }
        if turn.refreshes, seat.isFirst { try await renew() }
        let photo = try await send(turn, day: day)
        if turn.readsFeed { await look(fetching: turn.fetchesPhoto) }
        if turn.deletesPhoto, let photo { await calling { await person.deletePhoto(photo.id, at: $0) } }
        if turn.leavesAndReturns {
            await calling { await person.leave(seat.group, at: $0) }
            await calling { await person.feed(seat.group, at: $0) }
            try await comeBack()
        }
        if turn.isRemoved, let other = seat.members.first(where: { $0.id != person.id }) {
            await calling { await other.remove(person.id, from: seat.group, at: $0) }
            await calling { await person.feed(seat.group, at: $0) }
            try await comeBack()
        }
        if turn.bringsVisitor { try await visit() }
        try await world.passDay(of: person.id, in: seat.group)
    }

    /// Goes on until the photo is taken, by the same key.
    private func send(_ turn: RandomPlan.Turn, day: Int) async throws -> SeenPhoto? {
        let key = "day-\(day)"
        if turn.racesItself {
            async let other = calling { [person, seat] in
                await person.upload(to: seat.group, key: key + "-too", bytes: turn.bytes, day: day, at: $0)
            }
            async let one = upload(key, turn.bytes, day)
            _ = await (one, other)
        }
        var patience = Patience(.seconds(155))
        var answer = Answer.lost
        attempts: while patience.lasts() {
            answer = await upload(key, turn.bytes, day)
            if answer.isSuccess { return answer.photos.first }
            switch answer.problem {
            case "already_sent_today", "photo_gone": return nil
            case "not_found": try await comeBack()
            case "upload_in_progress": try await Task.sleep(for: .milliseconds(1500))
            default:
                // 401 while the person signs in anew, in another group.
                if let status = answer.status, status < 500, ![401, 409].contains(status) { break attempts }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        let text = "an upload of \(person.name) to \(seat.group) does not come through: \(answer)"
        world.history.note(.broken(invariant: 2, text))
        return nil
    }

    private func upload(_ key: String, _ bytes: Int, _ day: Int) async -> Answer {
        await calling { await person.upload(to: seat.group, key: key, bytes: bytes, day: day, at: $0) }
    }

    /// Somebody of the group looks, and fetches the newest photo.
    private func look(fetching: Bool) async {
        guard let viewer = seat.members.randomElement() else { return }
        let feed = await calling { await viewer.feed(seat.group, at: $0) }
        guard fetching, let photo = feed.photos.last else { return }
        await viewer.fetch(photo)
    }

    /// By an invitation from whoever is in the group.
    private func comeBack() async throws {
        var (invited, last) = (Answer.lost, Answer.lost)
        var patience = Patience(.seconds(120))
        while patience.lasts() {
            if let host = seat.members.filter({ $0.id != person.id }).randomElement() {
                let code: String?
                (invited, code) = await gate.pass {
                    await host.invite(person, to: seat.group, at: servers.url)
                }
                if let code, !code.isEmpty {
                    last = await calling { await person.redeem(code, of: seat.group, at: $0) }
                } else {
                    // A member already: the invitation says so.
                    last = await calling { await person.feed(seat.group, at: $0) }
                }
                if last.isSuccess { return }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TimedOut(description: "\(person.name) does not come back: \(last), invited \(invited)")
    }

    /// Repeats until the token is renewed. After a silence so long that a repeat no longer counts as one, the client signs in.
    private func renew() async throws {
        let parent = person.refreshToken
        var (patience, answer) = (Patience(.seconds(120)), Answer.lost)
        while patience.lasts() {
            answer = await calling { await person.refresh(parent, at: $0) }
            if answer.isSuccess { return }
            if answer.status == 401 {
                if patience.waited < .seconds(60) {
                    let text = "a refresh token of \(person.name) is refused within \(patience.waited)"
                    world.history.note(.broken(invariant: 7, text))
                }
                return try await signIn(person)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TimedOut(description: "\(person.name) gets no tokens: \(answer)")
    }

    /// At whichever instance lives.
    private func signIn(_ client: Client) async throws {
        var patience = Patience(.seconds(60))
        while patience.lasts() {
            if (try? await client.signIn(at: servers.url)) != nil { return }
        }
        throw TimedOut(description: "\(client.name) cannot sign in")
    }

    private func provoke() async {
        guard let file = HostileFiles.all.filter({ !$0.mayBeTaken }).randomElement() else { return }
        await calling { await person.upload(file, to: seat.group, key: "hostile", at: $0) }
    }

    /// Nothing of a visitor is left afterwards.
    private func visit() async throws {
        let visitor = Client(world, crowd.visitors.increment())
        try await signIn(visitor)
        if let made = try? await visitor.createGroup(inviting: [person], at: servers.url) {
            await calling { await visitor.upload(to: made.id, key: "visit", at: $0) }
        }
        let id = visitor.id
        var patience = Patience(.seconds(60))
        while true {
            let answer = await calling { await visitor.deleteAccount(at: $0) }
            if answer.isSuccess || answer.status == 401 { break }
            guard patience.lasts() else {
                throw TimedOut(description: "\(visitor.name) cannot delete the account: \(answer)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        for trace in try await world.traces(of: [id, visitor.number]) {
            world.history.note(.broken(invariant: 3, "of a deleted account is left: \(trace)"))
        }
    }

    /// Calls one of the instances, when there is a place.
    @discardableResult
    private func calling(_ call: @escaping @Sendable (String) async -> Answer) async -> Answer {
        await gate.pass { await call(servers.url) }
    }
}

/// How long somebody goes on: for a time, and so many times at least, since on a slow machine, where everybody waits for a
/// place and half of the instances are just being started, an attempt may take ten seconds and fail for no reason.
private struct Patience {
    private static let leastAttempts = 40
    private let limit: Duration
    private let began = ContinuousClock.now
    private var attempts = 0

    init(_ limit: Duration) { self.limit = limit }

    var waited: Duration { began.duration(to: .now) }

    /// Whether there is to be another attempt.
    mutating func lasts() -> Bool {
        attempts += 1
        return attempts <= Self.leastAttempts || waited < limit
    }
}

/// Lets so many through at a time.
package actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(places: Int) { free = places }

    package nonisolated func pass<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
