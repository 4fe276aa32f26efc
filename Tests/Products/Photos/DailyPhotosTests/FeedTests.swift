import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct FeedTests {
    /// Guard: only members read, only senders delete (`PhotoStore`)
    @Test("only members see a group's photos, and only while they are members")
    func membersOnly() async throws {
        try await withWorld { world in
            let photo = try await world.send().photo.photo.id
            let stranger = try await Fixtures.user(in: world.postgres)
            await #expect(throws: PhotoError.notFound) { try await world.feed(stranger) }
            await #expect(throws: PhotoError.notFound) {
                try await world.service.photo(photo, reader: stranger)
            }
            #expect(try await world.service.photo(photo, reader: world.bob).photo.id == photo)
            try await world.leave(world.bob)
            await #expect(throws: PhotoError.notFound) { try await world.feed(world.bob) }
            await #expect(throws: PhotoError.notFound) {
                try await world.service.photo(photo, reader: world.bob)
            }
        }
    }

    @Test("a member without photos sees an empty feed")
    func empty() async throws {
        try await withWorld { world in
            let feed = try await world.feed()
            #expect(feed.isEmpty)
        }
    }

    @Test("photos come oldest first, and today's are those of the last day")
    func order() async throws {
        try await withWorld { world in
            let first = try await world.send().photo.photo.id
            try await world.postgres.execute("UPDATE photos SET created_at = now() - interval '25 hours'")
            let second = try await world.send(from: world.bob).photo.photo.id
            #expect(try await world.feed().map(\.id) == [first, second])
            let today = try await world.service.feed(
                group: world.group, reader: world.caller(world.bob), scope: .today)
            #expect(today.feed.photos.map(\.photo.id) == [second])
        }
    }

    /// Guard: kept names of senders belong to one position of the group's log, and come from the whole feed
    /// (`SenderNames`, `KnownSenders.keep`)
    @Test(
        "a feed that was read before shows new names, also of former members; without an event it looks none up"
    )
    func renamedSenders() async throws {
        try await withWorld { world in
            func rename(_ user: UserID, _ name: String?, isRecorded: Bool = true) async throws {
                try await world.postgres.transaction { tx in
                    try tx.execute("UPDATE users SET first_name = \(name) WHERE id = \(user)")
                    if isRecorded { try GroupStore(postgres: world.postgres).recordRename(tx, of: user) }
                }
            }
            try await rename(world.alice, "Ada")
            try await rename(world.bob, nil)
            try await world.send()
            try await world.send(from: world.bob)
            func names(_ scope: FeedScope = .all) async throws -> [String?] {
                let reader = world.caller(world.bob)
                return try await world.service.feed(group: world.group, reader: reader, scope: scope)
                    .feed.photos.map(\.photo.senderName)
            }
            for _ in 0..<2 { #expect(try await names() == ["Ada", nil]) }
            // No event tells of this name, so whoever sees it has looked it up.
            try await rename(world.bob, "Ben", isRecorded: false)
            for scope in [FeedScope.all, .today] { #expect(try await names(scope) == ["Ada", nil]) }
            try await world.leave(world.alice)
            try await rename(world.alice, "Adele")
            for _ in 0..<2 { #expect(try await names() == ["Adele", "Ben"]) }
        }
    }

    /// Guard: kept names of senders belong to one position of the group's log, and come from the whole feed
    /// (`SenderNames`, `KnownSenders.keep`)
    @Test("the feed of the last day does not stand for the senders of the whole feed")
    func sendersOfToday() async throws {
        try await withWorld { world in
            try await world.postgres.execute("UPDATE users SET first_name = 'Ada' WHERE id = \(world.alice)")
            try await world.send()
            try await world.postgres.execute("UPDATE photos SET created_at = now() - interval '25 hours'")
            let reader = world.caller(world.bob)
            let today = try await world.service.feed(group: world.group, reader: reader, scope: .today)
            #expect(today.feed.photos.isEmpty)
            #expect(try await world.feed().map(\.senderName) == ["Ada"])
        }
    }

    @Test("every reader gets the same URL within a window, and no URL outlives its photo")
    func urls() async throws {
        try await withWorld(limits: PhotoSettings(lifetime: .seconds(1800))) { world in
            let sent = try await world.send().photo
            let feed = try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
            let seen = try #require(feed.photos.first)
            #expect(seen.links.photo == sent.links.photo)
            #expect(seen.links.expiresAt <= seen.photo.expiresAt)
            #expect(seen.links.photo != seen.links.thumbnail)
        }
    }
}

@Suite struct UploadTicketTests {
    private let tickets = UploadTickets(secret: Fixtures.secret)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func grant(expiresAt: Int = 1_800_000_060) -> UploadGrant {
        UploadGrant(
            userID: UUID(), sessionID: UUID(), groupID: UUID(), idempotencyKey: "k1", expiresAt: expiresAt)
    }

    @Test("a ticket is read back unchanged until it expires")
    func roundTrip() throws {
        let grant = grant()
        let ticket = try tickets.issue(grant)
        #expect(try tickets.read(ticket, now: now) == grant)
        #expect(throws: PhotoError.invalidTicket) { try tickets.read(ticket, now: now + 60) }
    }

    /// Guard: an upload ticket's HMAC (`UploadTickets`)
    @Test("a ticket that was changed, or made under another secret, is refused")
    func forged() throws {
        let ticket = try tickets.issue(grant())
        let other = try UploadTickets(secret: Fixtures.otherSecret).issue(grant())
        let changed = ticket.replacing("dut_e", with: "dut_f", maxReplacements: 1)
        for forged in [
            other, changed, ticket + "A", String(ticket.dropLast()), "dut_", "dut_.", "dut_e30.e30", "",
        ] {
            #expect(throws: PhotoError.invalidTicket) { try tickets.read(forged, now: now) }
        }
    }
}
