import DaylyAPI
import DaylyTesting
import Foundation
import Testing

/// A life of some people with everything that goes wrong in it; one of them goes.
struct Discretion: Sendable {
    let service: Service
    let names = ["Xanthippe", "Zebulon", "Quintilian"]
    let numbers = ["+14155550131", "+4915112345679", "+14155550133"]
    let unregistered = "+14155550134"
    let groupNames = ["Wombatfrühstück", "Vexillology", "Zugunruhe"]

    func tell() async throws {
        var secrets = Secrets()
        secrets.texts += names + groupNames + (numbers + [unregistered]).map { String($0.dropFirst(3)) }
        let people = try await signIn(&secrets)
        let (ada, bob, cyd) = (people[0], people[1], people[2])
        let group = try await meet(people, &secrets)
        try await sendPhotos(people, in: group, &secrets)
        try await goWrong(ada, in: group, &secrets)
        try await useSessions(cyd, &secrets)
        try await fallOut(bob, in: group, &secrets)

        let photos = try await bob.feed(group)
        let own = try #require(photos.first { $0.senderID == bob.id })
        let export = try await bob.get("/v1/users/me/export")
        #expect(export.status == 200 && String(decoding: export.bytes, as: UTF8.self).contains(numbers[1]))
        _ = try await Person.requestCode(numbers[1], from: service)
        secrets.codes.insert(try await service.inbox.code(to: numbers[1], count: 2))
        try await expectTraces(of: bob, "he is there to be found")
        #expect(try await bob.delete("/v1/users/me").status == 204)
        #expect(try await bob.get("/v1/users/me").status == 401)

        try await eventually("two photos' objects to remain") { try await service.bucket.keys().count == 4 }
        let sweep = try await service.run("sweep", "--once")
        #expect(sweep.status == 0, "\(sweep)")
        #expect(try await (400..<500).contains(Web.get(own.url).status))
        #expect(try await ada.feed(group).map(\.senderID) == photos.map(\.senderID).filter { $0 != bob.id })
        try await expectNothing(of: bob)
        try await command(&secrets)
        try expectDiscretion(secrets, ids: people.map(\.id))
    }

    // MARK: The life

    private func signIn(_ secrets: inout Secrets) async throws -> [Person] {
        var people: [Person] = []
        for (name, number) in zip(names, numbers) {
            let verification = try await Person.requestCode(number, from: service)
            let code = try await service.inbox.code(to: number)
            let wrong = String(String(1_000_001 + (Int(code) ?? 0)).suffix(6))
            secrets.codes.formUnion([code, wrong])
            let refused = try await Person.verify(verification, code: wrong, name: name, at: service)
            #expect(refused.status == 401)
            let reply = try await Person.verify(verification, code: code, name: name, at: service)
            let person = Person(service: service, number: number, tokens: try reply.decode())
            secrets.add(person.tokens)
            people.append(person)
        }
        return people
    }

    /// All three in one group; there are invitations that are open, used and revoked, from and to everybody.
    private func meet(_ people: [Person], _ secrets: inout Secrets) async throws -> ResourceID {
        let (ada, bob, cyd) = (people[0], people[1], people[2])
        let created = try await ada.createGroup(groupNames[0], inviting: [numbers[1], numbers[2]])
        let other = try await cyd.createGroup(groupNames[2], inviting: [numbers[1], unregistered])
        for (person, invitation) in zip([bob, cyd], created.invitations) {
            let code = try #require(invitation.code)
            #expect(try await person.redeem(code).status == 200)
        }
        let group = created.group.id
        let renamed = try await Web.send(
            "PUT", service.url + "/v1/groups/\(group)", headers: headers(bob),
            body: Array(#"{"name": "\#(groupNames[1])"}"#.utf8))
        #expect(renamed.status == 200)
        let request = InviteRequest(groupID: group.description, phoneNumbers: [unregistered])
        let sent = try await bob.post("/v1/invites/send", request).decode(InvitesSent.self).sent
        secrets.texts += (created.invitations + other.invitations + sent).compactMap(\.code)
        #expect(try await ada.redeem("ZZZZ99").code == "invite_not_found")
        secrets.texts.append("ZZZZ99")
        return group
    }

    private func sendPhotos(_ people: [Person], in group: ResourceID, _ secrets: inout Secrets) async throws {
        for (index, person) in people.enumerated() {
            let key = "upload-of-\(names[index].lowercased())"
            secrets.texts.append(key)
            let picture = Pictures.jpeg(width: 320, height: 240, seed: index)
            if index < 2 {
                #expect(try await person.send(picture, to: group, key: key).status == 201)
            } else {
                let reply = try await person.post(
                    "/v1/groups/\(group)/upload-tickets", UploadTicketRequest(idempotencyKey: key))
                let ticket = try reply.decode(UploadTicket.self).ticket
                secrets.texts += ticket.split(separator: ".").map(String.init)
                let sent = try await Web.send(
                    "POST", service.url + "/v1/groups/\(group)/photos",
                    headers: ["Authorization": "Bearer \(ticket)", "Content-Type": "image/jpeg"],
                    body: picture)
                #expect(sent.status == 201, "\(sent)")
            }
        }
        for photo in try await people[0].feed(group) {
            for url in [photo.url, photo.thumbnailURL] {
                #expect(try await Web.get(url).status == 200)
                let query = try #require(url.split(separator: "?").last.map(String.init))
                let signature = try #require(query.split(separator: "=").last.map(String.init))
                secrets.texts += [query, signature]
                #expect(try await (400..<500).contains(Web.get(String(url.dropLast(3)) + "xyz").status))
            }
        }
    }

    /// Requests that are refused at every layer, each with something in it that is nobody's business.
    private func goWrong(_ person: Person, in group: ResourceID, _ secrets: inout Secrets) async throws {
        let name = "Ozymandias"
        secrets.texts += [name, "415555013x", "QQQQ77", "sesame-token", "hunter-query"]
        let calls: [(method: String, path: String, body: String?)] = [
            ("PATCH", "/v1/users/me", #"{"first_name": "\#(name)\u0007"}"#),
            ("PATCH", "/v1/users/me", #"{"first_name": "\#(name)", "time_zone": "Mars/\#(name)"}"#),
            ("PATCH", "/v1/users/me", #"{"first_name": "\#(name)"#), ("PATCH", "/v1/users/me", name),
            ("POST", "/v1/auth/request-verification", #"{"phone_number": "+1 415555013x"}"#),
            ("POST", "/v1/auth/refresh", #"{"refresh_token": "sesame-token"}"#),
            ("POST", "/v1/auth/logout", #"{"refresh_token": "sesame-token"}"#),
            (
                "POST", "/v1/groups",
                #"{"name": "\#(name)", "member_phone_numbers": ["\#(unregistered)", "x"]}"#
            ),
            ("GET", "/v1/invites/QQQQ77", nil), ("DELETE", "/v1/invites/QQQQ77", nil),
            ("GET", "/i/QQQQ77", nil),
            ("GET", "/v1/users/me?access_token=sesame-token", nil),
            ("GET", "/nowhere/\(name)?q=hunter-query", nil),
            ("GET", "/files/photos/\(name).jpg?sig=hunter-query", nil),
            ("PUT", "/v1/users/me", #"{"a": "\#(name)"}"#),
            ("POST", "/v1/groups/\(group)/photos", "no picture of \(name)"),
            ("POST", "/v1/analytics/events", #"{"events": [{"name": "\#(name)"}]}"#),
            ("GET", "/v1/groups/\(group)/photos?since=\(name)", nil),
        ]
        for call in calls {
            let reply = try await Web.send(
                call.method, service.url + call.path, headers: headers(person),
                body: call.body.map { Array($0.utf8) })
            #expect(reply.status < 500, "\(call): \(reply)")
        }
        try await breakDown(person, &secrets)
        var forged = headers(person)
        forged["Authorization"] = "Bearer sesame-token"
        #expect(try await Web.get(service.url + "/v1/users/me", headers: forged).status == 401)
    }

    /// Unexpected errors, which are logged in full: PostgreSQL names the values of a row that it refuses. And a
    /// message that the gateway does not take.
    private func breakDown(_ person: Person, _ secrets: inout Secrets) async throws {
        let name = "Kaboomerang"
        secrets.texts += [name, String(SMSInbox.refusedNumber.dropFirst(3))]
        try await service.database.client.execute(
            "ALTER TABLE groups ADD CONSTRAINT no_boomerangs CHECK (name NOT LIKE 'Kaboom%')")
        let creation = GroupCreation(name: name, memberPhoneNumbers: [unregistered])
        let reply = try await person.post("/v1/groups", creation)
        #expect(reply.status == 500 && reply.code == "internal_error", "\(reply)")
        #expect(!String(decoding: reply.bytes, as: UTF8.self).contains("boomerang"))
        _ = try await Person.requestCode(SMSInbox.refusedNumber, from: service)
        try await eventually("the log of a message that was refused") {
            service.log.contains("a text message was not accepted")
        }
        #expect(service.log.contains("no_boomerangs"), "the error is logged")
    }

    private func useSessions(_ person: Person, _ secrets: inout Secrets) async throws {
        let first = try await refresh(person.tokens.refreshToken)
        secrets.add(try first.decode())
        let second = try await refresh(try first.decode(TokenResponse.self).refreshToken)
        secrets.add(try second.decode())
        let third = try await Person.signIn(names[2], person.number, count: 2, to: service)
        secrets.add(third.tokens)
        secrets.codes.insert(try await service.inbox.code(to: person.number, count: 2))
        #expect(try await third.delete("/v1/auth/sessions").status == 204)
        // The session is over, and the token was used up long ago.
        #expect(try await refresh(person.tokens.refreshToken).status == 401)
        let logout = RefreshRequest(refreshToken: third.tokens.refreshToken)
        #expect(try await Person.post(service, "/v1/auth/logout", logout, token: nil).status == 204)
    }

    private func refresh(_ token: String) async throws -> HTTPAnswer {
        try await Person.post(service, "/v1/auth/refresh", RefreshRequest(refreshToken: token), token: nil)
    }

    /// Somebody comes and goes, and the two block each other; who has left takes nobody out of a group by that.
    private func fallOut(_ person: Person, in group: ResourceID, _ secrets: inout Secrets) async throws {
        let (name, number) = ("Melchizedek", "+14155550136")
        secrets.texts += [name, String(number.dropFirst(3))]
        let other = try await Person.signIn(name, number, to: service)
        secrets.add(other.tokens)
        let request = InviteRequest(groupID: group.description, phoneNumbers: [number])
        let sent = try await person.post("/v1/invites/send", request).decode(InvitesSent.self).sent
        let code = try #require(sent.first?.code)
        secrets.texts.append(code)
        #expect(try await other.redeem(code).status == 200)
        #expect(try await other.delete("/v1/groups/\(group)").status == 204)
        for (blocker, blocked) in [(person, other), (other, person)] {
            let reply = try await Web.send(
                "POST", service.url + "/v1/users/\(blocked.id)/block", headers: headers(blocker))
            #expect(reply.status == 204, "\(reply)")
        }
        let muted = try await Web.send(
            "PUT", service.url + "/v1/groups/\(group)/mute", headers: headers(person),
            body: Array(#"{"muted": true}"#.utf8))
        #expect(muted.status == 204, "\(muted)")
        let contacts = ["phone_numbers": numbers + [number, unregistered]]
        let looked = try await other.post("/v1/invites/check-users", contacts)
        #expect(looked.status == 200, "\(looked)")
    }

    private func headers(_ person: Person) -> [String: String] {
        ["Authorization": "Bearer \(person.tokens.accessToken)", "Content-Type": "application/json"]
    }

    /// The commands' output is read by people and kept by machines, like a log.
    private func command(_ secrets: inout Secrets) async throws {
        var printed = ""
        for arguments in [
            ["config"], ["config", "--json"], ["doctor"], ["doctor", "--json"], ["migrate", "--status"],
            ["sweep", "--dry-run", "--json"], ["audit", "--json"],
        ] {
            let result = try await service.run(arguments)
            #expect([0, 3].contains(result.status), "\(arguments): \(result)")
            printed += result.output
        }
        secrets.otherOutput = printed
    }
}
