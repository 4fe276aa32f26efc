import DaylyAPI
import Foundation
import Testing

@testable import DaylyClient

/// Guard: each outcome of an upload has one consequence (`UploadMachine.finish`)
@Suite("The rules of the upload queue")
struct UploadMachineTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    let now = Self.now

    private var machine: UploadMachine {
        var machine = UploadMachine(
            UploadItem(
                id: UUID(), groupID: ResourceID(UUID()), userID: ResourceID(UUID()), captureID: UUID(),
                queuedAt: now))
        machine.begin()
        return machine
    }

    private func pauses(_ random: Double) -> RetryPolicy {
        var pauses = UploadMachine.pauses
        pauses.random = { random }
        return pauses
    }

    private func refusal(
        _ status: Int, _ code: String, retryAfter: Duration? = nil, usedTicket: Bool = false
    ) -> UploadMachine.Outcome {
        .refused(.init(status: status, code: code, retryAfter: retryAfter, usedTicket: usedTicket))
    }

    /// The seconds until the next attempt.
    private func wait(of machine: UploadMachine) -> Double {
        machine.item.notBefore.timeIntervalSince(now)
    }

    @Test("an accepted item is removed")
    func accepted() {
        var machine = machine
        #expect(machine.finish(.accepted, at: now, pauses: pauses(1)) == [.remove])
    }

    @Test(
        "without an answer the wait doubles up to five minutes, with full jitter",
        arguments: [(0, 1, 2), (3, 1, 16), (40, 1, 300), (3, 0, 0), (3, 0.5, 8)])
    func backoff(failures: Int, random: Double, seconds: Double) {
        var machine = machine
        for _ in 0..<failures { _ = machine.finish(.unanswered, at: now, pauses: pauses(0)) }
        #expect(machine.finish(.unanswered, at: now, pauses: pauses(random)) == [.store])
        #expect(machine.item.state == .waiting)
        #expect(machine.item.attempts == failures + 1)
        #expect(wait(of: machine) == seconds)
        #expect(machine.lackedNetwork)
    }

    @Test(
        "a refusal that passes waits for as long as the service says",
        arguments: [
            (500, "internal_error"), (503, "overloaded"), (408, "invalid_request"), (429, "rate_limited"),
            (409, "upload_in_progress"), (409, "newer_than_this_library"),
        ])
    func passing(status: Int, code: String) {
        var machine = machine
        let outcome = refusal(status, code, retryAfter: .seconds(7))
        #expect(machine.finish(outcome, at: now, pauses: pauses(1)) == [.store])
        #expect(machine.item.state == .waiting)
        #expect(machine.item.problem == .refused(code: code))
        #expect(wait(of: machine) == 7)
        #expect(!machine.lackedNetwork)
    }

    @Test("a proxy's Retry-After of a year is an hour")
    func longRetryAfter() {
        var machine = machine
        let outcome = refusal(503, "overloaded", retryAfter: .seconds(31_536_000))
        _ = machine.finish(outcome, at: now, pauses: pauses(1))
        #expect(wait(of: machine) == 3600)
    }

    @Test("a used day stops the item, keeps the picture and says when the next photo may be sent")
    func usedDay() {
        var machine = machine
        let tomorrow = now.addingTimeInterval(40_000)
        let outcome = UploadMachine.Outcome.refused(
            .init(status: 409, code: "already_sent_today", nextSendAt: tomorrow))
        #expect(machine.finish(outcome, at: now, pauses: pauses(1)) == [.store])
        #expect(machine.item.state == .stopped)
        #expect(machine.item.nextSendAt == tomorrow)

        #expect(machine.keepUntilNextDay(at: now) == [.store])
        #expect(!machine.isDue(at: tomorrow.addingTimeInterval(-1)))
        #expect(machine.isDue(at: tomorrow))
        #expect(machine.review(at: tomorrow.addingTimeInterval(80_000)).isEmpty, "its day begins tomorrow")
    }

    @Test(
        "a refusal for good stops the item and drops the picture first",
        arguments: [
            (400, "invalid_request"), (404, "not_found"), (410, "photo_gone"), (413, "upload_too_large"),
            (415, "unsupported_media_type"), (422, "unreadable_image"), (422, "idempotency_key_reused"),
        ])
    func final(status: Int, code: String) {
        var machine = machine
        let actions = machine.finish(refusal(status, code), at: now, pauses: pauses(1))
        #expect(actions == [.dropPicture, .store])
        #expect(machine.item.state == .stopped)
        #expect(machine.item.problem == .refused(code: code))
    }

    @Test(
        "a refused ticket is dropped, and the session is tried at once; after it the item waits for a sign-in"
    )
    func unauthorized() {
        var machine = machine
        _ = machine.receive(UploadTicket(ticket: "ticket", expiresAt: now))
        let first = machine.finish(
            refusal(401, "unauthorized", usedTicket: true), at: now, pauses: pauses(1))
        #expect(first == [.store, .sendAgain])
        #expect(machine.item.ticket == nil)
        let second = machine.finish(refusal(401, "unauthorized"), at: now, pauses: pauses(1))
        #expect(second == [.store])
        #expect(machine.item.state == .signedOut)
        #expect(!machine.isDue(at: now))
        #expect(machine.signedIn(at: now) == [.store])
        #expect(machine.isDue(at: now))
    }

    @Test("an attempt that was broken off here does not count")
    func cancelled() {
        var machine = machine
        #expect(machine.finish(.cancelled, at: now, pauses: pauses(1)).isEmpty)
        #expect(machine.isDue(at: now))
        #expect(machine.item.attempts == 0)
    }

    /// Guard: a problem that an item was stored with is the same after a relaunch (`UploadProblem.init(rawValue:)`)
    @Test(
        "a stored problem is read as the one that it was",
        arguments: [UploadProblem.tooOld, .pictureMissing, .networkAnswered, .refused(code: "photo_gone")])
    func stored(problem: UploadProblem) throws {
        let data = try JSONEncoder().encode([problem])
        #expect(try JSONDecoder().decode([UploadProblem].self, from: data) == [problem])
    }

    /// Guard: an upload that has waited for a day is not sent without asking, whatever ended the wait
    /// (`UploadMachine.review`, `.networkReturned`)
    @Test("an item that has waited for more than a day stops and asks; a retry begins a new day")
    func age() {
        var machine = machine
        _ = machine.finish(.unanswered, at: now, pauses: pauses(0))
        let day: TimeInterval = 24 * 3600
        #expect(machine.review(at: now.addingTimeInterval(day)).isEmpty)
        let later = now.addingTimeInterval(day + 1)
        #expect(machine.review(at: later) == [.store])
        #expect(machine.item.state == .stopped)
        #expect(machine.item.problem == .tooOld)
        #expect(machine.retry(at: later) == [.store])
        #expect(machine.review(at: later.addingTimeInterval(day)).isEmpty)
        #expect(machine.isDue(at: later))
    }

    /// Guard: an upload that has waited for a day is not sent without asking, whatever ended the wait
    /// (`UploadMachine.review`, `.networkReturned`)
    @Test("a network that comes back ends the wait and makes no item younger", arguments: [23, 25])
    func networkReturned(hours: Double) {
        var machine = machine
        _ = machine.finish(.unanswered, at: now, pauses: pauses(1))
        let later = now.addingTimeInterval(hours * 3600)
        #expect(machine.networkReturned(at: later) == [.store])
        #expect(machine.item.queuedAt == now)
        #expect(machine.isDue(at: later) == (hours < 24))
        #expect(machine.item.problem == (hours < 24 ? nil : .tooOld))
    }

    /// Guard: a clock that was set back lets no upload wait for years (`UploadMachine.followClock`)
    @Test("after the clock was set back, nothing waits for years")
    func clockSetBack() {
        var machine = machine
        _ = machine.finish(.unanswered, at: now, pauses: pauses(1))
        let past = now.addingTimeInterval(-4 * 365 * 86_400)
        #expect(machine.review(at: past) == [.store])
        #expect(machine.isDue(at: past))
        #expect(machine.item.queuedAt == past)
    }

    @Test("an item from the disk whose process ended while sending is due")
    func endedWhileSending() {
        var machine = machine
        #expect(!machine.isDue(at: now))
        #expect(machine.review(at: now) == [.store])
        #expect(machine.isDue(at: now))
    }

    @Test("progress never goes back, and ends with the attempt")
    func progress() {
        var machine = machine
        machine.progress(to: 0.5)
        machine.progress(to: 0.25)
        #expect(machine.item.progress == 0.5)
        _ = machine.finish(.unanswered, at: now, pauses: pauses(1))
        #expect(machine.item.progress == 0)
        machine.progress(to: 0.75)
        #expect(machine.item.progress == 0)
    }
}
