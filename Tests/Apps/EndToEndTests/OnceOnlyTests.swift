import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEnd {
    /// Every rule that says "once", with several clients at the same moment: one wins, and nobody sees a 5xx.
    @Suite("Once only")
    struct OnceOnlyTests {
        @Test(
            "one of many uploads for a day is taken, and nothing of the others is left")
        func sameDay() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Day", inviting: ["+14155550102"]).group.id
                let pictures = (0..<8).map { Pictures.jpeg(width: 640, height: 480, seed: $0) }
                let replies = try await atOnce(8) {
                    try await ada.send(pictures[$0], to: group, key: "key-\($0)")
                }
                #expect(replies.filter { $0.status == 201 }.count == 1, "\(replies)")
                let refusals = Set(replies.filter { $0.status != 201 }.map(\.code))
                #expect(refusals.isSubset(of: ["already_sent_today", "upload_in_progress"]), "\(replies)")
                #expect(try await ada.feed(group).count == 1)
                try await eventually("two objects") { try await service.bucket.keys().count == 2 }
                #expect(try await service.run("audit").status == 0)
            }
        }

        @Test(
            "one key at once makes one photo, and the same photo is the answer to all")
        func sameKey() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Key", inviting: ["+14155550102"]).group.id
                let picture = Pictures.jpeg(width: 640, height: 480)
                let replies = try await atOnce(8) { _ in
                    try await ada.sendUntilAnswered(picture, to: group, key: "same")
                }
                let photos = try replies.map { try $0.decode(Photo.self).id }
                #expect(replies.filter { $0.status == 201 }.count == 1, "\(replies)")
                #expect(replies.filter { $0.status == 200 }.count == 7, "\(replies)")
                #expect(Set(photos).count == 1)
                #expect(try await ada.feed(group).map(\.id) == [photos[0]])
            }
        }

        @Test("of those who redeem for the last seat one gets it")
        func lastSeat() async throws {
            try await Service.run(on: .filesystem, ["limits.members_per_group": "3"]) { service in
                let ada = try await Person.signIn("Ada", "+14155550100", to: service)
                let numbers = (1...6).map { "+1415555010\($0)" }
                let created = try await ada.createGroup("Seats", inviting: Array(numbers.prefix(2)))
                var invitations = created.invitations
                for pair in [numbers[2...3], numbers[4...5]] {
                    let request = InviteRequest(
                        groupID: created.group.id.description, phoneNumbers: Array(pair))
                    invitations += try await ada.post("/v1/invites/send", request).decode(InvitesSent.self)
                        .sent
                }
                let people = try await atOnce(6) { index in
                    try await Person.signIn("P\(index)", numbers[index], to: service)
                }
                let codes = Dictionary(
                    uniqueKeysWithValues: invitations.compactMap { invitation in
                        invitation.code.map { (invitation.phoneNumber, $0) }
                    })
                let first = try #require(people.first)
                #expect(try await first.redeem(codes[first.number] ?? "").status == 200)
                let others = people.dropFirst()
                let replies = try await atOnce(5) { index in
                    let person = others[others.startIndex + index]
                    return try await person.redeem(codes[person.number] ?? "")
                }
                #expect(replies.filter { $0.status == 200 }.count == 1, "\(replies)")
                #expect(replies.filter { $0.code == "group_full" }.count == 4, "\(replies)")
                let group = try await ada.get("/v1/groups/\(created.group.id)").decode(PhotoGroup.self)
                #expect(group.memberCount == 3 && group.members.count == 3)
            }
        }

        @Test(
            "of ten groups made at once five exist, and no code leads into a sixth")
        func sixthGroup() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let bob = try await Person.signIn("Bob", "+14155550102", to: service)
                let replies = try await atOnce(10) { index in
                    try await ada.post(
                        "/v1/groups", GroupCreation(name: "G\(index)", memberPhoneNumbers: [bob.number]))
                }
                #expect(replies.filter { $0.status == 201 }.count == 5, "\(replies)")
                #expect(replies.filter { $0.code == "group_limit_reached" }.count == 5, "\(replies)")
                #expect(try await ada.get("/v1/groups").decode(GroupList.self).groups.count == 5)

                let codes = try replies.filter { $0.status == 201 }
                    .compactMap { try $0.decode(GroupCreated.self).invitations.first?.code }
                for index in 0..<4 {
                    _ = try await bob.createGroup("B\(index)", inviting: ["+14155550103"])
                }
                let redeemed = try await atOnce(5) { try await bob.redeem(codes[$0]) }
                #expect(redeemed.filter { $0.status == 200 }.count == 1, "\(redeemed)")
                #expect(redeemed.filter { $0.code == "group_limit_reached" }.count == 4, "\(redeemed)")
                #expect(try await bob.get("/v1/groups").decode(GroupList.self).groups.count == 5)
            }
        }

        @Test("a sign-in code is accepted once")
        func sameCode() async throws {
            try await Service.run { service in
                let verification = try await Person.requestCode("+14155550101", from: service)
                let code = try await service.inbox.code(to: "+14155550101")
                let replies = try await atOnce(10) { _ in
                    try await Person.verify(verification, code: code, name: "Ada", at: service)
                }
                #expect(replies.filter { $0.status == 200 }.count == 1, "\(replies)")
                #expect(replies.filter { $0.code == "verification_failed" }.count == 9, "\(replies)")
            }
        }

        @Test("an invitation is redeemed by one person, its own, however often")
        func sameInvite() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let bob = try await Person.signIn("Bob", "+14155550102", to: service)
                let eve = try await Person.signIn("Eve", "+14155550103", to: service)
                let created = try await ada.createGroup("Invite", inviting: [bob.number])
                let code = try #require(created.invitations.first?.code)
                let replies = try await atOnce(8) { index in
                    try await (index % 2 == 0 ? bob : eve).redeem(code)
                }
                #expect(replies.filter { $0.status == 200 }.count == 4, "\(replies)")
                #expect(replies.filter { $0.code == "invite_not_found" }.count == 4, "\(replies)")
                #expect(try await eve.get("/v1/groups/\(created.group.id)").status == 404)
                let group = try await bob.get("/v1/groups/\(created.group.id)").decode(PhotoGroup.self)
                #expect(group.memberCount == 2)
            }
        }

        @Test("a refresh token used by several at once has one child")
        func sameRefreshToken() async throws {
            try await Service.run { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let replies = try await atOnce(8) { _ in
                    try await Person.post(
                        service, "/v1/auth/refresh", RefreshRequest(refreshToken: ada.tokens.refreshToken),
                        token: nil)
                }
                #expect(replies.allSatisfy { $0.status == 200 }, "\(replies)")
                let children = Set(try replies.map { try $0.decode(TokenResponse.self).refreshToken })
                #expect(children.count == 1)
                #expect(!children.contains(ada.tokens.refreshToken))
            }
        }
    }
}
