import DaylyTesting
import Foundation
import HTTPKit
import HTTPTesting
import Hummingbird
import Postgres
import Testing

@testable import Auth

/// Feeds and groups that have not changed cost no body; those that have are never said to be unchanged.
@Suite("Unchanged feeds and groups")
struct EntityTagTests {
    /// Guard: a changed name is an event in each of the user's groups (`AuthService.update` (`onRename`),
    /// `GroupStore.recordRename`)
    /// Guard: an ETag covers everything in the body (`PhotoService.tag`, `GroupVersion`)
    @Test("equal tags mean equal bodies, whatever happens and however time passes")
    func property() async throws {
        // URLs have windows of a second, so that some end while this runs.
        try await WholeService.run(["DAYLY_PHOTOS_URL_LIFETIME": "4s", "DAYLY_LIMITS_ENFORCE_RATES": "false"])
        {
            service in
            let scene = try await service.scene()
            var bodies: [String: String] = [:]
            var latest: [String: String] = [:]
            var unchanged = 0
            for step in 0..<80 {
                try await service.happen(step, in: scene)
                for reader in [scene.owner, scene.member] {
                    for path in scene.paths {
                        let key = "\(reader.name) \(path)"
                        if let tag = latest[key] {
                            let again = try await service.get(path, reader, tag)
                            if again.status == 304 {
                                unchanged += 1
                                #expect(again.headers[.eTag] == tag)
                                #expect(again.body.readableBytes == 0)
                                let full = try await service.get(path, reader, nil)
                                // Time may have passed in between; then the tag says so.
                                if full.headers[.eTag] == tag { #expect(full.text == bodies[tag]) }
                                continue
                            }
                            #expect(again.status == 200)
                        }
                        let answer = try await service.get(path, reader, nil)
                        let tag = try #require(answer.headers[.eTag])
                        #expect(answer.headers[.cacheControl] == "private, no-cache")
                        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
                        if let known = bodies[tag] { #expect(known == answer.text, "\(path), step \(step)") }
                        bodies[tag] = answer.text
                        latest[key] = tag
                    }
                }
            }
            #expect(unchanged > 20)
            #expect(bodies.count > 50)
        }
    }

    /// Guard: a 304 costs one query (`ValidatedJSON`)
    @Test("a 304 costs the look at the session and one query more, and nothing is signed or joined for it")
    func cost() async throws {
        try await WholeService.run(["DAYLY_DATABASE_MAX_CONNECTIONS": "1"]) { service in
            let scene = try await service.scene()
            for path in scene.paths {
                let (status, run) = try await inOneWindow {
                    let tag = try await service.get(path, scene.owner, nil).headers[.eTag]
                    _ = try await service.get(path, scene.owner, tag)
                    let before = try await service.statementRuns()
                    let status = try await service.get(path, scene.owner, tag).status
                    let run = try await service.statementRuns().compactMap { statement, runs in
                        statement.contains("pg_prepared") || runs == before[statement]
                            ? nil : (statement, runs - (before[statement] ?? 0))
                    }
                    return (status, run)
                }
                #expect(status == 304)
                #expect(run.map(\.1) == [1, 1], "\(run)")
                for column in ["thumbhash", "photo_key", "array_agg"] {
                    #expect(!run.contains { $0.0.contains(column) }, "\(path) reads \(column)")
                }
            }
        }
    }

    @Test("who is no member gets no 304, whatever he knows")
    func outsiders() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let eve = try await service.person(name: "Eve")
            for path in scene.paths.dropFirst() {
                let statuses = try await inOneWindow {
                    let tag = try await service.get(path, scene.owner, nil).headers[.eTag]
                    return [
                        try await service.get(path, eve, tag), try await service.get(path, eve, "*"),
                        try await service.get(path, scene.owner, "*"),
                        try await service.get(path, scene.owner, "\"other\", W/\(tag ?? "")"),
                    ].map(\.status)
                }
                #expect(statuses == [404, 404, 304, 304])
            }
        }
    }
}

/// Runs `body` again if a quarter of an hour has begun meanwhile: signed URLs are others then, and so are the tags.
private func inOneWindow<Value>(_ body: () async throws -> Value) async throws -> Value {
    func window() -> Int { Int(Date().timeIntervalSince1970) / 900 }
    while true {
        let before = window()
        let value = try await body()
        if window() == before { return value }
    }
}

extension WholeService.Scene {
    fileprivate var paths: [String] {
        let id = "\(group)".lowercased()
        return ["/v1/groups", "/v1/groups/\(id)", "/v1/groups/\(id)/photos", "/v1/groups/\(id)/photos/today"]
    }
}

extension WholeService {
    fileprivate func get(_ path: String, _ reader: Person, _ tag: String?) async throws -> HTTPAnswer {
        try await client.call(
            .get, path, token: reader.token, headers: tag.map { [.ifNoneMatch: $0] } ?? [:])
    }

    /// How often each statement has run on the one connection there is.
    fileprivate func statementRuns() async throws -> [String: Int] {
        try await postgres.query(
            "SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements"
        ).reduce(into: [:]) { runs, row in
            runs[try row.get("statement", as: String.self)] = try row.get("runs", as: Int.self)
        }
    }

    /// One of the things that change what somebody sees of a group, or nothing.
    fileprivate func happen(_ step: Int, in scene: Scene) async throws {
        let group = "/v1/groups/\("\(scene.group)".lowercased())"
        let token = [scene.owner, scene.member].randomElement()?.token
        switch step % 2 == 0 ? Int.random(in: 0..<10) : -1 {
        case 0: _ = try await call("PUT", group, token: token, body: #"{"name": "Name \#(step)"}"#)
        case 1:
            _ = try await call("PATCH", "/v1/users/me", token: token, body: #"{"first_name": "N\#(step)"}"#)
        case 2: _ = try await call("PUT", group + "/mute", token: token, body: #"{"muted": true}"#)
        case 3: _ = try await call("PUT", group + "/mute", token: token, body: #"{"muted": false}"#)
        case 4: try await comeAndGo(step, scene)
        case 5, 6: try await addPhoto(step, scene)
        case 7:
            let photo = try await postgres.first(
                "SELECT id FROM photos WHERE expires_at > now() ORDER BY random() LIMIT 1")
            guard let id: UUID = try photo?.get("id") else { return }
            _ = try await call("DELETE", "/v1/photos/\("\(id)".lowercased())", token: token)
        case 8: try await pass(.hours(Int.random(in: 1...30)))
        case 9: try await postgres.execute("DELETE FROM photos WHERE expires_at <= now()")
        default: break
        }
    }

    /// A third one joins by invitation, and leaves.
    private func comeAndGo(_ step: Int, _ scene: Scene) async throws {
        let guest = try await person(name: "Guest \(step)")
        let invite = UUID.version7()
        try await self.invite(invite, guest.number, to: scene.group, by: scene.owner)
        let row = try await postgres.first("SELECT code FROM invites WHERE id = \(invite)")
        let code: String = try #require(try row?.get("code"))
        let joined = try await call(
            "POST", "/v1/invites/redeem", token: guest.token, body: #"{"code": "\#(code)"}"#)
        #expect(joined.status == 200)
        guard step % 3 == 0 else { return }
        let path = "/v1/groups/\("\(scene.group)".lowercased())"
        #expect(try await call("DELETE", path, token: guest.token).status == 204)
    }

    /// As an upload writes it, on a day that is not used up.
    private func addPhoto(_ step: Int, _ scene: Scene) async throws {
        let (id, name) = (UUID.version7(), UUID().uuidString)
        let sender = step % 3 == 0 ? scene.member : scene.owner
        try await postgres.transaction { tx in
            try tx.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                    photo_key, thumbnail_key)
                VALUES (\(id), \(scene.group), \(sender.id), current_date + \(step)::integer, now(), 64, 48,
                    '\\x01', \("photos/\(name).jpg"), \("photos/\(name)_thumbnail.jpg"))
                """)
            try tx.execute(
                """
                UPDATE photos SET lease_until = NULL, created_at = now(), expires_at = now() + interval '48 hours'
                WHERE id = \(id)
                """)
            try tx.execute(
                """
                INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
                VALUES (\(scene.group), \(sender.id), current_date)
                ON CONFLICT (group_id, sender_id) DO UPDATE SET last_sent_on = current_date
                """)
        }
    }

    /// Time passes: all that lies in it moves back.
    private func pass(_ time: Duration) async throws {
        try await postgres.execute(
            """
            UPDATE photos SET created_at = created_at - \(time), expires_at = expires_at - \(time)
            """)
        try await postgres.execute("UPDATE photo_slots SET last_sent_on = last_sent_on - 1")
    }
}
