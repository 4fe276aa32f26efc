import Foundation
import ProgramTesting

/// Who plays one membership: sends a photo each day, and does what else the plan says.
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
        let deadline = ContinuousClock.now + .seconds(155)
        var answer = Answer.lost
        attempts: while ContinuousClock.now < deadline {
            answer = await upload(key, turn.bytes, day)
            if answer.isSuccess { return answer.photos.first }
            switch answer.problem {
            case "already_sent_today", "photo_gone": return nil
            case "not_found": try await comeBack()
            case "upload_in_progress": try await Task.sleep(for: .milliseconds(1500))
            default:
                if let status = answer.status, status < 500, status != 409 { break attempts }
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
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
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
        let state = try await world.database.client.first(
            """
            SELECT (SELECT count(*) FROM groups WHERE id = g) AS groups,
                (SELECT count(*) FROM group_members WHERE group_id = g) AS members,
                (SELECT count(*) FROM invites WHERE group_id = g AND used_at IS NULL AND revoked_at IS NULL) AS open,
                (SELECT count(*) FROM group_members WHERE user_id = p) AS mine
            FROM (SELECT \(UUID(uuidString: seat.group))::uuid AS g, \(UUID(uuidString: person.id))::uuid AS p) AS it
            """)
        throw TimedOut(
            description: """
                \(person.name) does not come back: \(last), invited \(invited), \(String(describing: state))
                """)
    }

    /// Goes on until the token is renewed. Who hears nothing for so long that a repeat is no repeat any more signs in.
    private func renew() async throws {
        let (parent, began) = (person.refreshToken, ContinuousClock.now)
        while true {
            let answer = await calling { await person.refresh(parent, at: $0) }
            if answer.isSuccess { return }
            let waited = began.duration(to: .now)
            if answer.status == 401 {
                if waited < .seconds(60) {
                    let text = "a refresh token of \(person.name) is refused within \(waited)"
                    world.history.note(.broken(invariant: 7, text))
                }
                return try await person.signIn(at: servers.url)
            }
            guard waited < .seconds(120) else {
                throw TimedOut(description: "\(person.name) gets no tokens: \(answer)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func provoke() async {
        guard let file = HostileFiles.all.filter({ !$0.mayBeTaken }).randomElement() else { return }
        await calling { await person.upload(file, to: seat.group, key: "hostile", at: $0) }
    }

    /// Nothing of a visitor is left afterwards.
    private func visit() async throws {
        let visitor = Client(world, crowd.visitors.next())
        try await visitor.signIn(at: servers.url)
        if let made = try? await visitor.createGroup(inviting: [person], at: servers.url) {
            await calling { await visitor.upload(to: made.id, key: "visit", at: $0) }
        }
        let id = visitor.id
        try await eventually("a visitor to be gone", within: .seconds(60), every: .milliseconds(200)) {
            let answer = await calling { await visitor.deleteAccount(at: $0) }
            return answer.isSuccess || answer.status == 401
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
