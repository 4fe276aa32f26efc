import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import KeyDerivation
import NIOCore
import ObjectStorage
import Postgres
import RateLimiting
import Testing

@testable import Auth
@testable import DaylyServer

/// One service made everything with the old secret. The next one has a new secret, and the old one behind it.
@Suite("Changing auth.secret")
struct SecretChangeTests {
    private static let new = String(decoding: Fixtures.otherSecret, as: UTF8.self)

    /// The tokens, links and numbers in use when a service's secret is changed.
    private struct Life: Sendable {
        let scene: WholeService.Scene
        let refreshToken: String
        let ticket: String
        let cursor: String
        let fileURL: String
        let verification: VerificationID
        let newcomer: Person
        let stopped: PhoneNumber
        let blocked: PhoneNumber
        let blockedCode: String
    }

    /// Guard: everything made with a previous secret is recognised (`KeyRing.isValid`, `.codes`)
    @Test("with the old secret behind the new one nothing that was made with it is lost")
    func kept() async throws {
        // The list ends an entry at a comma, and the secret has one.
        let old = String(decoding: Fixtures.secret, as: UTF8.self).replacing(",", with: "\\,")
        try await change(previous: old) { service, life in
            let (owner, member) = (life.scene.owner, life.scene.member)
            let refreshed = try await service.call(
                "POST", "/v1/auth/refresh", body: #"{"refresh_token": "\#(life.refreshToken)"}"#)
            #expect(refreshed.status == 200)
            let child = try #require(refreshed.members["refresh_token"] as? String)
            let again = try await service.call(
                "POST", "/v1/auth/refresh", body: #"{"refresh_token": "\#(child)"}"#)
            #expect(again.status == 200, "the child is of the new secret")
            #expect(try await verify(service, life).status == 200)
            #expect(try await upload(service, life).status == 415, "the ticket is good, the picture is not")
            #expect(try await service.call("GET", life.cursor, token: owner.token).status == 200)
            #expect(try await service.call("GET", life.fileURL).text == "a picture")
            #expect(try await redeem(service, "ZZZZZZ", as: member).status == 429)
            #expect(try await check(service, life.stopped, as: owner).status == 200)
            #expect(try await check(service, life.blocked, as: owner).status == 429)
            #expect(try await redeem(service, life.blockedCode, as: life.newcomer).status == 404)
            let stops = OptOutStore(postgres: service.postgres, hashes: hashes(service))
            #expect(try await !stops.stop(life.stopped), "it is stopped already")
            #expect(try await stops.allow(life.stopped))
            #expect(try await stops.stop(life.stopped))
        }
    }

    @Test("without it everything that was made with it is unknown")
    func lost() async throws {
        try await change(previous: nil) { service, life in
            let refreshed = try await service.call(
                "POST", "/v1/auth/refresh", body: #"{"refresh_token": "\#(life.refreshToken)"}"#)
            #expect(refreshed.status == 401)
            #expect(try await verify(service, life).status == 401)
            #expect(try await upload(service, life).status == 401)
            #expect(try await service.call("GET", life.cursor, token: life.scene.owner.token).status == 410)
            #expect(try await service.call("GET", life.fileURL).status == 404)
            #expect(try await redeem(service, "ZZZZZZ", as: life.scene.member).status == 404)
            #expect(try await check(service, life.blocked, as: life.scene.owner).status == 200)
            #expect(try await redeem(service, life.blockedCode, as: life.newcomer).status == 200)
            let stops = OptOutStore(postgres: service.postgres, hashes: hashes(service))
            #expect(try await stops.stop(life.stopped))
        }
    }

    // MARK: The two services

    private func change(
        previous: String?, _ body: @escaping @Sendable (WholeService, Life) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let settings = [
            "DAYLY_STORAGE_PATH": folder.path + "/objects", "DAYLY_LIMITS_CONTACT_CHECKS_PER_DAY": "1",
        ]
        try await withTestDatabase { database in
            let (lives, life) = AsyncStream.makeStream(of: Life.self)
            try await WholeService.serve(settings, on: database) { life.yield(try await live(on: $0)) }
            life.finish()
            for await life in lives {
                let changed = [
                    "DAYLY_AUTH_SECRET": Self.new, "DAYLY_AUTH_PREVIOUS_SECRETS": previous ?? "",
                ]
                try await WholeService.serve(settings.merging(changed) { $1 }, on: database) {
                    try await body($0, life)
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    private func live(on service: WholeService) async throws -> Life {
        let scene = try await service.scene()
        let group = "\(scene.group)".lowercased()
        try await service.composition.objectStore.put(
            try ObjectKey(scene.key("")), ByteBuffer(string: "a picture"), contentType: "image/jpeg")
        let feed = try await service.call("GET", "/v1/groups/\(group)/photos", token: scene.owner.token)
        let photo = try #require((feed.members["photos"] as? [[String: any Sendable]])?.first)
        let text = try #require(photo["url"] as? String)
        let url = try #require(URLComponents(string: text))
        let ticket = try await service.call(
            "POST", "/v1/groups/\(group)/upload-tickets", token: scene.member.token,
            body: #"{"idempotency_key": "one"}"#)
        for _ in 0..<10 { _ = try await redeem(service, "ZZZZZZ", as: scene.member) }
        let stopped = Fixtures.phoneNumber()
        let stops = OptOutStore(postgres: service.postgres, hashes: hashes(service))
        #expect(try await stops.stop(stopped))
        #expect(try await check(service, stopped, as: scene.owner).status == 200)
        let (blocked, newcomer) = try await block(service, scene, group)
        let code = try await service.postgres.first(
            "SELECT code FROM invites WHERE phone_number = \(blocked) AND used_at IS NULL")
        return Life(
            scene: scene, refreshToken: scene.owner.refreshToken,
            ticket: try #require(ticket.members["ticket"] as? String),
            cursor: "/v1/groups/\(group)/photos?since=\(try #require(feed.members["cursor"] as? String))",
            fileURL: url.path + "?" + (url.percentEncodedQuery ?? ""),
            verification: try await verification(service, scene.owner.number), newcomer: newcomer,
            stopped: stopped, blocked: blocked, blockedCode: try #require(try code?.get("code")))
    }

    /// Somebody is blocked, deletes their account and comes again with the same number.
    private func block(
        _ service: WholeService, _ scene: WholeService.Scene, _ group: String
    ) async throws -> (PhoneNumber, Person) {
        let eve = try await service.person(name: "Eve")
        try await service.join(eve, scene.group)
        #expect(
            try await service.call("POST", "/v1/users/\(eve.name)/block", token: scene.owner.token).status
                == 204)
        #expect(try await service.call("DELETE", "/v1/users/me", token: eve.token).status == 204)
        let newcomer = try await service.person(number: eve.number)
        try await service.invite(UUID.version7(), eve.number, to: scene.group, by: scene.member)
        return (eve.number, newcomer)
    }

    private func verification(_ service: WholeService, _ number: PhoneNumber) async throws -> VerificationID {
        let id = VerificationID(.version7())
        let code = OneTimeCode(text: "123456").hmac(for: id, using: AuthKeys(secret: Fixtures.secret).codes)
        try await service.postgres.execute(
            """
            INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
            VALUES (\(id), \(number), \(code), now() + interval '5 minutes')
            """)
        return id
    }

    // MARK: Calls

    private func verify(_ service: WholeService, _ life: Life) async throws -> HTTPAnswer {
        let id = life.verification.rawValue.uuidString.lowercased()
        return try await service.call(
            "POST", "/v1/auth/verify", body: #"{"verification_id": "\#(id)", "code": "123456"}"#)
    }

    private func upload(_ service: WholeService, _ life: Life) async throws -> HTTPAnswer {
        try await service.call(
            "POST", "/v1/groups/\("\(life.scene.group)".lowercased())/photos", token: life.ticket,
            bytes: ByteBuffer(string: "not a picture"), type: "image/jpeg", idempotencyKey: "one")
    }

    private func redeem(
        _ service: WholeService, _ code: String, as person: Person
    ) async throws -> HTTPAnswer {
        try await service.call(
            "POST", "/v1/invites/redeem", token: person.token, body: #"{"code": "\#(code)"}"#)
    }

    private func check(
        _ service: WholeService, _ number: PhoneNumber, as person: Person
    ) async throws -> HTTPAnswer {
        try await service.call(
            "POST", "/v1/invites/check-users", token: person.token,
            body: #"{"phone_numbers": ["\#(number.rawValue)"]}"#)
    }

    private func hashes(_ service: WholeService) -> NumberHashes {
        let secrets = service.composition.configuration.secrets
        return NumberHashes(
            secret: ServiceSecrets(
                Array((secrets.secret ?? "").utf8), previous: secrets.previous.map { Array($0.utf8) }))
    }
}
