import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// A membership in a group of a cluster.
struct ClusterSeat: Sendable {
    let person: Client
    let group: String
    /// Made the group and never leaves it.
    let host: Client
    let members: [Client]
    /// Leaves the group and comes back; everybody else stays.
    let isTraveller: Bool
}

/// Plays one membership as an app does: a request that failed is sent once more, after the time that the service asked for. An
/// upload that still failed goes on until it comes through.
struct ClusterPlayer: Sendable {
    let seat: ClusterSeat
    let plan: ClusterPlan
    let world: World
    let operations: Operations

    private var person: Client { seat.person }

    /// - Parameter previous: the photo of the turn before. It is the one that may be deleted, because a stream need not show a
    ///   photo that came and went while it looked away.
    /// - Returns: the photo of this turn.
    func play(day: Int, after previous: SeenPhoto?) async throws -> SeenPhoto? {
        let photo = try await send(day: day)
        if Int.random(in: 0..<10) < 6 { await look() }
        if Int.random(in: 0..<10) < 2, let previous {
            await operations.run("delete", by: person, mayBeGone: true) {
                await person.deletePhoto(previous.id, at: plan.url)
            }
        }
        if seat.isTraveller, Int.random(in: 0..<10) < 4 { try await travel() }
        try await passDay()
        return photo
    }

    /// Goes on until the photo is taken, by the same key.
    private func send(day: Int) async throws -> SeenPhoto? {
        let began = ContinuousClock.now
        let attempts = Counter()
        while began.duration(to: .now) < .seconds(140) {
            let answer = await operations.run("upload", by: person) {
                let number = attempts.increment()
                let key = plan.keepsKeys ? "day-\(day)" : "day-\(day)-\(number)"
                return await person.upload(to: seat.group, key: key, bytes: day + 1, day: day, at: plan.url)
            }
            if answer.isSuccess { return answer.photos.first }
            if answer.problem == "already_sent_today" { return nil }
            let isLeased = answer.problem == "upload_in_progress"
            try await Task.sleep(for: .seconds(isLeased ? max(1, person.wantedPause ?? 1) : 1))
            if isLeased { operations.noteLease(began.duration(to: .now) / .seconds(1)) }
        }
        let text = "an upload of \(person.name) to \(seat.group) does not come through"
        world.history.note(.broken(invariant: 2, text))
        return nil
    }

    /// Somebody who is in the group for good looks, and fetches the newest photo from the store.
    private func look() async {
        guard let viewer = seat.members.dropLast().randomElement() else { return }
        let feed = await operations.run("feed", by: viewer) { await viewer.feed(seat.group, at: plan.url) }
        guard let photo = feed.photos.last, photo.urlExpiresAt.timeIntervalSinceNow > 3 else { return }
        await operations.run("fetch", by: viewer, mayBeGone: true) { await viewer.fetch(photo) }
    }

    /// Leaves and comes back by an invitation.
    private func travel() async throws {
        await operations.run("leave", by: person, mayBeGone: true) {
            await person.leave(seat.group, at: plan.url)
        }
        let began = ContinuousClock.now
        while began.duration(to: .now) < .seconds(120) {
            let code = Mutex<String?>(nil)
            await operations.run("invite", by: seat.host) {
                let (answer, made) = await seat.host.invite(person, to: seat.group, at: plan.url)
                code.withLock { $0 = made }
                return answer
            }
            if let code = code.withLock({ $0 }), !code.isEmpty {
                let joined = await operations.run("join", by: person) {
                    await person.redeem(code, of: seat.group, at: plan.url)
                }
                if joined.isSuccess { return }
            } else if await person.feed(seat.group, at: plan.url).isSuccess {
                // The departure did not come through, or the invitation had been used before its answer was lost.
                return
            }
            try await Task.sleep(for: .seconds(1))
        }
        throw TimedOut(description: "\(person.name) does not come back")
    }

    /// By the harness's own connection, until PostgreSQL takes it.
    private func passDay() async throws {
        try await eventually("the next day", within: .seconds(90), every: .milliseconds(500)) {
            do {
                try await world.passDay(of: person.id, in: seat.group)
                return true
            } catch {
                return false
            }
        }
    }
}

/// Sends requests with one repetition, and keeps what became of them.
final class Operations: Sendable {
    private let retries: Bool
    private let kept = Mutex<(all: [ClusterOperation], lease: Double)>(([], 0))

    init(retries: Bool) { self.retries = retries }

    var all: [ClusterOperation] { kept.withLock { $0.all } }
    var longestLease: Double { kept.withLock { $0.lease } }

    func noteLease(_ seconds: Double) { kept.withLock { $0.lease = max($0.lease, seconds) } }

    /// - Parameter mayBeGone: whether 404 is the answer to a repetition of something that was done.
    @discardableResult
    func run(
        _ kind: String, by person: Client, mayBeGone: Bool = false, _ call: () async -> Answer
    ) async -> Answer {
        var (answer, attempt) = await Self.attempt(call)
        var attempts = [attempt]
        if retries, answer == .lost || (answer.status ?? 0) >= 500 {
            // The SDK's clients wait so, too: as asked, and a little more, so that they do not come all at once.
            let pause = Double(person.wantedPause ?? 0) + Double.random(in: 0.5...1)
            try? await Task.sleep(for: .seconds(pause))
            (answer, attempt) = await Self.attempt(call)
            attempts.append(attempt)
        }
        // The lease of an attempt whose node died lasts half a minute: the service says so, and nothing has failed.
        let isDone =
            answer.isSuccess || answer.problem == "upload_in_progress" || mayBeGone && answer.status == 404
        let operation = ClusterOperation(
            kind: kind, attempts: attempts, problem: answer.problem, isDone: isDone)
        kept.withLock { $0.all.append(operation) }
        return answer
    }

    private static func attempt(
        _ call: () async -> Answer
    ) async -> (Answer, ClusterOperation.Attempt) {
        let start = Date()
        let answer = await call()
        let attempt = ClusterOperation.Attempt(
            start: start.timeIntervalSince1970, end: Date().timeIntervalSince1970, status: answer.status ?? 0)
        return (answer, attempt)
    }
}
