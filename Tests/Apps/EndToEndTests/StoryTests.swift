import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEnd {
    @Suite("The whole story")
    struct StoryTests {
        @Test(
            "people sign in, make a group, join it, send photos, see them, and see them go")
        func story() async {
            let settings = ["photos.lifetime": "25s", "photos.sweep_interval": "1s", "log.level": "trace"]
            // The stores at once: most of the time is spent waiting for photos to expire.
            await forEach(Store.allCases) { store in
                try await Service.run(on: store, settings) { service in
                    try await Story(service: service).tell()
                }
            }
        }
    }
}

private struct Story {
    let service: Service
    let names = ["Xanthippe", "Zebulon", "Quintilian"]
    let numbers = ["+14155550101", "+14155550102", "+4915112345678"]

    func tell() async throws {
        let ada = try await Person.signIn(names[0], numbers[0], to: service)
        let created = try await ada.createGroup("Breakfast", inviting: [numbers[1], "+49 (151) 1234-5678"])
        let group = created.group.id
        #expect(created.group.memberCount == 1)
        #expect(created.invitations.map(\.phoneNumber) == [numbers[1], numbers[2]])
        let bob = try await join(names[1], numbers[1], by: created)
        let cyd = try await join(names[2], numbers[2], by: created)

        let original = Pictures.jpeg(width: 4032, height: 3024)
        let heic = try await Pictures.heic(width: 1200, height: 900, folder: service.folder)
        let began = ContinuousClock.now
        let first = try await sent(original, "image/jpeg", by: ada, to: group)
        #expect(max(first.width, first.height) <= 2048 && first.width * 3 == first.height * 4)

        try await service.restart()

        let second = try await sent(
            Pictures.png(width: 1200, height: 900), "image/png", by: bob, to: group)
        let third = try await sent(heic, "image/heic", by: cyd, to: group)
        try await see([first, second, third], as: cyd, in: group)
        try await repeatUpload(original, of: first, by: ada, in: group)

        try await forget([first, second, third], as: ada, in: group, began: began)
        try expectDiscretion(ada, bob, cyd, created, urls: [first.url, third.thumbnailURL])
    }

    private func join(_ name: String, _ number: String, by created: GroupCreated) async throws -> Person {
        let person = try await Person.signIn(name, number, to: service)
        let invitation = try #require(created.invitations.first { $0.phoneNumber == number })
        let code = try #require(invitation.code)
        let reply = try await person.redeem(" \(code.lowercased().prefix(3))-\(code.dropFirst(3)) ")
        try #require(reply.status == 200, "\(reply)")
        #expect(try reply.decode(InviteRedeemed.self).groupID == created.group.id)
        #expect(try await person.redeem(code).status == 200, "again by the same user")
        return person
    }

    private func sent(
        _ picture: [UInt8], _ type: String, by sender: Person, to group: ResourceID
    ) async throws -> Photo {
        let reply = try await sender.send(picture, to: group, key: "first", type: type)
        try #require(reply.status == 201, "\(type): \(reply)")
        return try reply.decode()
    }

    private func see(_ photos: [Photo], as member: Person, in group: ResourceID) async throws {
        let feed = try await member.feed(group)
        #expect(feed.map(\.id) == photos.map(\.id), "oldest first")
        #expect(feed.map(\.senderName) == names)
        for photo in feed {
            let picture = try await Web.get(photo.url)
            #expect(picture.status == 200, "\(picture)")
            #expect(picture.headers[.contentType] == "image/jpeg")
            let size = try #require(Pictures.jpegSize(picture.bytes))
            #expect(size.width == photo.width && size.height == photo.height)
            let thumbnail = try await Web.get(photo.thumbnailURL)
            let small = try #require(Pictures.jpegSize(thumbnail.bytes))
            #expect(max(small.width, small.height) <= 480)
        }
        #expect(try await service.bucket.keys().count == photos.count * 2, "two objects per photo")
        let contents = try await service.bucket.contents()
        let secret = Array(Pictures.secretText.utf8)
        #expect(!contents.contains { $0.contains(secret) }, "metadata is carried over")
    }

    private func repeatUpload(
        _ picture: [UInt8], of photo: Photo, by sender: Person, in group: ResourceID
    ) async throws {
        let again = try await sender.send(picture, to: group, key: "first")
        #expect(again.status == 200, "\(again)")
        #expect(try again.decode(Photo.self).id == photo.id)
        let other = try await sender.send(Pictures.jpeg(width: 64, height: 64), to: group, key: "first")
        #expect(other.status == 422 && other.code == "idempotency_key_reused", "\(other)")
        let second = try await sender.send(picture, to: group, key: "second")
        #expect(second.status == 409 && second.code == "already_sent_today", "\(second)")
    }

    /// Within the lifetime everything is there; after it nothing is, in feed, bucket and by URL.
    private func forget(
        _ photos: [Photo], as member: Person, in group: ResourceID, began: ContinuousClock.Instant
    ) async throws {
        if ContinuousClock.now < began + .seconds(15) {
            #expect(try await service.run("sweep", "--once").status == 0)
            #expect(try await member.feed(group).count == photos.count, "swept too early")
        }
        try await eventually("an empty feed", within: .seconds(40), every: .milliseconds(200)) {
            try await member.feed(group).isEmpty
        }
        let sweep = try await service.run("sweep", "--once")
        #expect(sweep.status == 0, "\(sweep)")
        try await eventually("an empty bucket") { try await service.bucket.keys().isEmpty }
        for photo in photos {
            #expect(try await (400..<500).contains(Web.get(photo.url).status))
            #expect(try await (400..<500).contains(Web.get(photo.thumbnailURL).status))
            #expect(try await member.get("/v1/photos/\(photo.id)").status == 404)
        }
        let gone = try await member.send(Pictures.jpeg(width: 4032, height: 3024), to: group, key: "first")
        #expect(gone.status == 410 && gone.code == "photo_gone", "\(gone)")
        let audit = try await service.run("audit")
        #expect(audit.status == 0, "\(audit)")
    }

    /// No number, name, code, token or signature in the log, at its most talkative level.
    private func expectDiscretion(
        _ ada: Person, _ bob: Person, _ cyd: Person, _ created: GroupCreated, urls: [String]
    ) throws {
        let log = service.log
        #expect(log.contains("request_id"), "there is a log to look at")
        let codes = Set(
            service.inbox.messages.compactMap { $0.body.firstMatch(of: /code is: ([0-9]{6})/)?.1 })
        var secrets = names + numbers.map { String($0.dropFirst(4)) } + created.invitations.compactMap(\.code)
        secrets += [ada, bob, cyd].flatMap { [$0.tokens.accessToken, $0.tokens.refreshToken] }
        secrets += urls.compactMap { $0.firstMatch(of: /[sS]ignature=([A-Za-z0-9_-]{16,})/) }.map {
            String($0.1)
        }
        secrets.append(SMSInbox.token)
        for secret in secrets {
            #expect(!log.contains(secret), "the log has \(secret)")
        }
        // Six digits may occur within a time or an id: a code stands by itself.
        let words = Set(log.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") })
        #expect(!codes.isEmpty && words.isDisjoint(with: codes), "the log has a code")
    }
}
