import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("The service in memory")
struct FakeServiceTests {
    @Test("a preview shows groups and photos")
    func preview() async throws {
        let dayly = Dayly.preview
        let groups = try await dayly.groups.list()
        #expect(groups.map(\.name) == ["Breakfast", "Family"])
        let feed = try await dayly.photos.feed(of: try #require(groups.first?.id)).value
        #expect(feed?.photos.map(\.senderName) == ["Bob", "Cyd"])
        let picture = try await dayly.pictures.picture(of: try #require(feed?.photos.first))
        #expect(picture == FakePhoto.gradient && picture?.isEmpty == false)
    }

    @Test("a code can be wrong, and any other signs in")
    func signIn() async throws {
        let dayly = FakeService().client(isSignedIn: false)
        let verification = try await dayly.auth.requestVerification(phoneNumber: "+14155550101")
        await #expect(throws: DaylyError.verificationFailed(attemptsRemaining: 4)) {
            try await dayly.auth.signIn(verification.verificationID, code: FakeService.wrongCode)
        }
        let signIn = try await dayly.auth.signIn(verification.verificationID, code: "123456")
        #expect(signIn.user.firstName == "Ada")
        #expect(try await dayly.profile.update(UserPatch(firstName: "Augusta")).firstName == "Augusta")
    }

    @Test("a group takes one photo a day, and five groups are the most")
    func rules() async throws {
        let dayly = Dayly.preview
        let group = try await dayly.groups.create(name: "Lunch", inviting: ["+14155550102"]).group
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
        try FakePhoto.gradient.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let photo = try await dayly.photos.send(file, format: .jpeg, to: group.id, key: "monday")
        #expect(try await dayly.groups.get(group.id).hasSentToday)
        let error = await #expect(throws: DaylyError.self) {
            try await dayly.photos.send(file, format: .jpeg, to: group.id, key: "again")
        }
        #expect(error?.code == .alreadySentToday)
        try await dayly.photos.delete(photo.id)
        #expect(try await dayly.photos.feed(of: group.id).value?.photos.isEmpty == true)
        for name in ["4", "5"] { _ = try await dayly.groups.create(name: name, inviting: ["+14155550102"]) }
        await #expect(throws: DaylyError.groupLimitReached) {
            try await dayly.groups.create(name: "6", inviting: ["+14155550102"])
        }
        #expect(try await dayly.groups.rename(group.id, to: "Dinner").name == "Dinner")
        try await dayly.groups.leave(group.id)
        #expect(try await dayly.groups.list().count == 4)
    }

    @Test("open streams report a photo that comes")
    func events() async throws {
        let service = FakeService()
        let dayly = service.client()
        let stream = try await dayly.calls.authorized.stream(dayly.calls.requests.request(.streamEvents))
        let group = try #require(try await dayly.groups.list().first)
        let photo = service.receive(FakePhoto(from: "Dan"), in: group.id)
        var text = ""
        for try await part in stream.body {
            text += String(decoding: part, as: UTF8.self)
            if text.contains("photo.created") { break }
        }
        #expect(text.contains(photo.id.description))
    }
}
