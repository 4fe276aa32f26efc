import ClientFixtures
import DaylyAPI
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

/// Guard: an answer counts only with its call's status and type, one without a body with its `X-Request-ID`,
/// a refusal as a problem document of ours (`TransportRequest.isAccepted`, `ProblemDocument.init`
/// (ServiceAnswer.swift))
@Suite("Answers that are not Dayly's")
struct ForeignAnswerTests {
    private static let picture = Data([0xFF, 0xD8, 0xFF, 0xE0])

    @Test("there are cases")
    func cases() { #expect(ForeignAnswer.all().count > 40) }

    @Test(
        "no call counts as done, none ends the session, and each can be told from the service's",
        arguments: ForeignAnswer.all())
    func everyCall(foreign: ForeignAnswer) async throws {
        #expect(try await foreign.faults(of: Operation.all) == [])
    }

    @Test("no call of a repository takes one for its answer", arguments: ForeignAnswer.all())
    func decoded(foreign: ForeignAnswer) async throws {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? foreign.answer : .json(TokenResponse.numbered(1))
        }
        let dayly = client.dayly
        let id = ResourceID.numbered(1)
        let error = DaylyError.unexpectedAnswer(status: foreign.status)
        await #expect(throws: error) { try await dayly.service.isAlive() }
        await #expect(throws: error) { try await dayly.service.isReady() }
        await #expect(throws: error) { try await dayly.service.description() }
        await #expect(throws: error) { try await dayly.auth.requestVerification(phoneNumber: "+14155550101") }
        await #expect(throws: error) { try await dayly.auth.sessions() }
        await #expect(throws: error) { try await dayly.profile.get() }
        await #expect(throws: error) { try await dayly.profile.deleteAccount() }
        await #expect(throws: error) { try await dayly.groups.list() }
        await #expect(throws: error) { try await dayly.groups.create(name: "A", inviting: []) }
        await #expect(throws: error) { try await dayly.groups.leave(id) }
        await #expect(throws: error) { try await dayly.invites.redeem("ABC234") }
        await #expect(throws: error) { try await dayly.invites.received() }
        await #expect(throws: error) { try await dayly.photos.feed(of: id) }
        await #expect(throws: error) { try await dayly.photos.get(id) }
        await #expect(throws: error) { try await dayly.photos.delete(id) }
        #expect(client.store.session != nil)
    }

    @Test("a refresh that is answered by the network signs nobody out", arguments: ForeignAnswer.all())
    func refresh(foreign: ForeignAnswer) async throws {
        let isForeign = Locked(true)
        let client = try ScriptedClient { request in
            guard request.refreshToken != nil else { return .json(User.ada) }
            return isForeign.withLock { $0 } ? foreign.answer : .json(TokenResponse.numbered(1))
        }
        await #expect(throws: DaylyError.unexpectedAnswer(status: foreign.status)) {
            try await client.dayly.profile.get()
        }
        #expect(client.store.session == .numbered(0))
        isForeign.withLock { $0 = false }
        #expect(try await client.dayly.profile.get() == .ada)
    }

    @Test("a sign-in that is answered by the network keeps no session", arguments: ForeignAnswer.all())
    func signIn(foreign: ForeignAnswer) async throws {
        let client = try ScriptedClient(nil) { _ in foreign.answer }
        await #expect(throws: DaylyError.unexpectedAnswer(status: foreign.status)) {
            try await client.dayly.auth.signIn(.numbered(9), code: "123456")
        }
        #expect(client.store.session == nil)
    }

    /// Guard: a network's answer keeps the photo in the queue, in the background too (`UploadAnswer`,
    /// `UploadMachine.finish`)
    @Test(
        "a photo waits with its picture, whether the network answers its ticket, its upload or both",
        arguments: ForeignAnswer.all())
    func uploads(foreign: ForeignAnswer) async throws {
        for tickets in [nil, foreign.answer] {
            let isForeign = Locked(true)
            let world = try UploadQueueTests.World(tickets: tickets) { _ in
                isForeign.withLock { $0 } ? foreign.answer : .json(Photo.sample(), status: 201)
            }
            _ = try await world.queue.enqueue(photo: Self.picture, groups: [.numbered(1)])
            await world.queue.settle()
            let item = try #require(await world.items().first)
            #expect(item.state == .waiting)
            #expect(item.notBefore.timeIntervalSince(world.clock.now) <= 300)
            #expect(world.files.count == 2, "the record and the picture")
            isForeign.withLock { $0 = false }
            await world.queue.networkReturned()
            await world.queue.settle()
            #expect(world.files.isEmpty, "it is sent when the network lets it")
        }
    }

    @Test(
        "a proxy's 413 says that the photo is too large for this network, and a gateway's 502 blames nobody")
    func words() async throws {
        for (status, problem, detail): (Int, UploadProblem?, String?) in [
            (413, .networkAnswered, "This network lets no photo of this size pass."),
            (403, .networkAnswered, "This network answers instead of Dayly."), (502, nil, nil),
        ] {
            let world = try UploadQueueTests.World { _ in .page(status) }
            _ = try await world.queue.enqueue(photo: Self.picture, groups: [.numbered(1)])
            await world.queue.settle()
            let item = try #require(await world.items().first)
            #expect(item.problem == problem && item.problemDetail == detail)
        }
    }

    @Test("a deletion that finds nothing after a lost answer succeeds by the service's word only")
    func repeatedDeletion() async throws {
        for (second, succeeds) in [(StubAnswer.problem(404, .notFound), true), (.page(404), false)] {
            let count = Locked(0)
            let client = try ScriptedClient(retries: RetryPolicy(attempts: 2, random: { 0 })) { request in
                guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
                return count.withLock { count in
                    count += 1
                    return count == 1 ? .page(502) : second
                }
            }
            let isDone: Bool
            do {
                try await client.dayly.photos.delete(.numbered(1))
                isDone = true
            } catch {
                isDone = false
            }
            #expect(isDone == succeeds)
        }
    }
}
