import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Auth

/// The export is held against the schema: what is kept about somebody in any table has to be in it.
/// Guard: every column about users is exported (the features' `UserDataExport`s)
@Suite("Exporting one's data")
struct ExportTests {
    /// Where users are kept, by table and column, and the member of the export that has the rows. A new column of that
    /// kind fails the tests until it stands here.
    private static let members: [String: String] = [
        "users.id": "user", "users.phone_number": "user",
        "sessions.user_id": "sessions",
        "verifications.phone_number": "verifications",
        "group_members.user_id": "groups",
        "group_events.user_id": "group_events", "former_members.user_id": "former_groups",
        "blocks.blocker_id": "blocks",
        "contact_checks.user_id": "contact_checks",
        "invites.invited_by": "invites_sent",
        "invites.phone_number": "invites_received", "invites.used_by": "invites_received",
        "photos.sender_id": "photos",
        "photo_slots.sender_id": "sent_days",
        "upload_keys.sender_id": "upload_keys",
        "devices.user_id": "devices",
        "outbox.user_id": "notifications",
        "idempotency_keys.user_id": "idempotency_keys",
    ]

    /// The same for the tables of Focus, whose rows are in the members of `focus`; nil: what follows from other rows.
    private static let focusMembers: [String: String?] = [
        "focus_profiles.user_id": "profile", "focus_devices.user_id": "devices",
        "focus_event_days.user_id": "events", "focus_days.user_id": "days", "focus_weeks.user_id": "weeks",
        "focus_results.user_id": "results", "focus_seats.user_id": "seats",
        "focus_sessions.user_id": "sessions", "focus_ledger.user_id": "ledger",
        "focus_schedules.user_id": "schedules", "focus_intentions.user_id": "intentions",
        "focus_breaks.user_id": "breaks", "focus_freezes.user_id": "freezes",
        "focus_partners.user_id": "partners", "focus_transactions.user_id": "purchases",
        "focus_temptations.user_id": "temptations",
        // These rows follow from the user's days, and from the times at which the jobs look at the user again.
        "focus_feed.user_id": nil, "focus_due.user_id": nil,
    ]

    /// The same for the tables of Companion, whose rows are in the members of `companion`; nil: what follows from other rows.
    private static let companionMembers: [String: String?] = [
        "companion_settings.user_id": "settings", "companion_days.user_id": "days",
        "companion_devices.user_id": "devices", "companion_bypasses.user_id": "bypasses",
        "companion_diary.user_id": "diary",
        "companion_cosmetics.user_id": "cosmetics", "companion_purchases.user_id": "purchases",
        "companion_pets.user_id": "pet", "companion_recoveries.user_id": "pet",
        "companion_wallets.user_id": "wallet", "companion_ledger.user_id": "ledger",
        "companion_memorials.user_id": "memorials",
    ]

    /// Columns of exported rows that are left out, and why.
    private static let leftOut: [String: String] = [
        "sessions.user_id": "the caller",
        "sessions.refresh_nonce": "a key",
        "verifications.code_hmac": "a key",
        "verifications.send_id": "how the message was paid for",
        "verifications.is_trusted": "how it was counted", "verifications.is_review": "how the code was made",
        "group_members.user_id": "the caller",
        "group_events.user_id": "the caller", "group_events.photo_id": "of photos, which name nobody",
        "group_events.skipped": "where others' renames were",
        "group_events.previous_at": "when others did something",
        "group_events.partition": "made from the time",
        "former_members.user_id": "the caller",
        "blocks.blocker_id": "the caller", "blocks.number_hmac": "a hash of somebody else's number",
        "contact_checks.user_id": "the caller", "contact_checks.asked": "hashes of other people's numbers",
        "invites.invited_by": "the caller, or what somebody else did",
        "invites.used_by": "the caller, or what somebody else did",
        "photos.sender_id": "the caller",
        "photos.photo_key": "the URL says it", "photos.thumbnail_key": "the URL says it",
        "photos.removal_logged": "whether the group was told",
        "photos.fingerprint": "a keyed hash",
        "photo_slots.sender_id": "the caller",
        "upload_keys.sender_id": "the caller",
        "devices.user_id": "the caller", "devices.digest": "the token says it",
        "idempotency_keys.user_id": "the caller", "idempotency_keys.digest": "a hash of what the caller sent",
        "outbox.user_id": "the caller", "outbox.payload": "ids of what the key and the devices say",
        "outbox.lease": "who works on it", "outbox.lanes": "the devices say it",
    ]

    /// Columns that name the caller and say what others did: their rows are not the caller's to have.
    private static let withheld: Set<String> = ["blocks.blocked_id"]

    @Test("every column that refers to users, or holds numbers, is exported or left out with a reason")
    func schema() async throws {
        try await withDatabase { postgres in
            let found = Set(try await Self.holders(in: postgres))
            #expect(
                found.subtracting(Self.members.keys).subtracting(Self.focusMembers.keys)
                    .subtracting(Self.companionMembers.keys).subtracting(Self.withheld).sorted() == [],
                "not in the export")
            #expect(Set(Self.members.keys).subtracting(found).sorted() == [], "not in the schema")
        }
    }

    @Test("all of the caller's rows are in it, each column of them, and nothing of anybody else's")
    func complete() async throws {
        try await WholeService.run { service in
            let ada = try await Self.liveFullLife(in: service)
            let stranger = try await service.scene()
            let export = try await Self.export(service, ada)
            for (holder, member) in Self.members.sorted(by: { $0.key < $1.key }) {
                let rows = try await Self.rows(of: ada, in: holder, service.postgres)
                #expect(!rows.isEmpty, "no row of \(holder) is about the user: let liveFullLife make one")
                let exported = member == "user" ? [export[member] as Any] : export[member] as? [Any] ?? []
                for row in rows {
                    #expect(
                        exported.contains { Self.holds($0, row) },
                        "\(holder): \(row) is not among \(exported)")
                }
            }
            let text = try await service.call("GET", "/v1/users/me/export", token: ada.token).text
            for foreign in [
                stranger.owner.name, stranger.owner.phone, "\(stranger.photo)".lowercased(),
            ] {
                #expect(!text.contains(foreign))
            }
            for secret in [ada.token, ada.refreshToken, String(repeating: "07", count: 32)] {
                #expect(!text.contains(secret))
            }
        }
    }

    /// Guard: the export shows no impossible time (`GroupStore.export`)
    @Test("a group that is muted for ever says so, and has no time that is none")
    func mutedForEver() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let path = "/v1/groups/\(scene.group)/mute"
            let muted = try await service.call(
                "PUT", path, token: scene.owner.token, body: #"{"muted": true}"#)
            #expect(muted.status == 204)
            let text = try await service.call("GET", "/v1/users/me/export", token: scene.owner.token).text
            #expect(text.contains(#""muted_for_ever":true,"muted_until":null"#) && !text.contains("infinity"))
        }
    }

    @Test("no table holds the caller in a way that the schema does not show")
    func hidden() async throws {
        try await WholeService.run { service in
            let ada = try await Self.liveFullLife(in: service)
            let known = Set(Self.members.keys.map { String($0.prefix { $0 != "." }) })
            let digits = String(ada.phone.dropFirst())
            let products = (Array(Self.focusMembers.keys) + Self.companionMembers.keys).map {
                $0.prefix { $0 != "." }
            }
            for table in try await service.tables() where !known.contains(table) {
                // A partition's name begins with that of its table.
                if products.contains(where: { table.hasPrefix($0) }) { continue }
                let found = try await service.postgres.query(
                    """
                    SELECT found::text AS row FROM \(identifier: table) AS found
                    WHERE position(\(ada.name) IN found::text) > 0 OR position(\(digits) IN found::text) > 0
                    """)
                #expect(found.isEmpty, "\(table) holds the user; it is not in the export")
            }
        }
    }

    @Test("it is a file to be saved, that no cache keeps")
    func headers() async throws {
        try await WholeService.run { service in
            let ada = try await service.person()
            let answer = try await service.call("GET", "/v1/users/me/export", token: ada.token)
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="dayly-export.json""#)
            #expect(answer.headers[.cacheControl] == "no-store")
            let user = try #require(answer.members["user"] as? [String: Any])
            #expect(user["id"] as? String == ada.name)
            #expect(user["phone_number"] as? String == ada.phone)
        }
    }

    @Test("photos come with URLs where the caller may see them: live, and in a group that they are in")
    func photos() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            func url() async throws -> String? {
                let export = try await Self.export(service, scene.owner)
                let photo = try #require((export["photos"] as? [[String: Any]])?.first)
                #expect(photo["id"] as? String == "\(scene.photo)".lowercased())
                #expect((photo["thumbnail_url"] == nil) == (photo["url"] == nil))
                return photo["url"] as? String
            }
            #expect(try await url()?.contains(scene.key("")) == true)
            try await service.postgres.execute("DELETE FROM group_members WHERE user_id = \(scene.owner.id)")
            #expect(try await url() == nil)
            try await service.join(scene.owner, scene.group)
            try await service.postgres.execute("UPDATE photos SET expires_at = now()")
            #expect(try await url() == nil)
        }
    }

    @Test("the member companion is null before joining, and has a member for each table after it")
    func companion() async throws {
        try await WholeService.run { service in
            let eve = try await service.person()
            #expect(try await Self.export(service, eve)["companion"] is NSNull)
            let scene = try await service.scene()
            let export = try await Self.export(service, scene.owner)
            let companion = try #require(export["companion"] as? [String: Any])
            #expect(
                Set(Self.companionMembers.values.compactMap { $0 }).subtracting(companion.keys).sorted() == []
            )
            let settings = try #require(companion["settings"] as? [String: Any])
            #expect(settings["consent"] as? String == "1")
            #expect((companion["days"] as? [Any])?.count == 1)
        }
    }

    @Test("the member focus is null without a profile, and has a member for each table of Focus with one")
    func focus() async throws {
        try await WholeService.run { service in
            let eve = try await service.person()
            #expect(try await Self.export(service, eve)["focus"] is NSNull)
            let scene = try await service.scene()
            let export = try await Self.export(service, scene.owner)
            let focus = try #require(export["focus"] as? [String: Any])
            #expect(Set(Self.focusMembers.values.compactMap { $0 }).subtracting(focus.keys).sorted() == [])
            #expect((focus["profile"] as? [String: Any])?["consent"] as? String == "1")
            let devices = try #require(focus["devices"] as? [[String: Any]])
            #expect(devices.map { $0["id"] as? String } == ["\(scene.phone)".lowercased()])
        }
    }

    /// Guard: the export leaves out invitations that a block hides (`InvitationStore.export`)
    @Test("an invitation that a block hides is not in the export either")
    func blocks() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let ada = try await service.person()
            try await service.invite(UUID.version7(), ada.number, to: scene.group, by: scene.owner)
            func received() async throws -> Int {
                (try await Self.export(service, ada)["invites_received"] as? [Any])?.count ?? -1
            }
            #expect(try await received() == 1)
            try await service.postgres.execute(
                """
                INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
                VALUES (\(scene.member.id), '\\x02', \(ada.id))
                """)
            #expect(try await received() == 0)
        }
    }

    /// Guard: an hour has twenty exports and sixty reports of events (`AuthService.export`,
    /// `AnalyticsService`)
    @Test("of thirty exports in an hour twenty are made")
    func limit() async throws {
        try await WholeService.run { service in
            let ada = try await service.person()
            var statuses: [Int] = []
            for _ in 0..<30 {
                statuses.append(try await service.call("GET", "/v1/users/me/export", token: ada.token).status)
            }
            #expect(statuses == [Int](repeating: 200, count: 20) + [Int](repeating: 429, count: 10))
        }
    }
}

// MARK: What is kept

extension ExportTests {
    /// `table.column` of every foreign key to users, of the users' own, and of what is named like a number.
    private static func holders(in postgres: PostgresClient) async throws -> [String] {
        try await postgres.query(
            """
            SELECT c.conrelid::regclass::text || '.' || a.attname AS holder
            FROM pg_constraint c
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
            JOIN pg_class t ON t.oid = c.conrelid AND NOT t.relispartition
            WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass
            UNION
            SELECT table_name || '.' || column_name
            FROM information_schema.columns
            JOIN pg_class t ON t.oid = table_name::regclass AND NOT t.relispartition
            WHERE table_schema = 'public'
                AND (column_name LIKE '%phone%' OR column_name LIKE '%user_id%' OR table_name || '.' || column_name = 'users.id')
            ORDER BY 1
            """
        ).map { try $0.get("holder") }
    }

    /// The user's rows as PostgreSQL makes JSON of them.
    private static func rows(
        of person: Person, in holder: String, _ postgres: PostgresClient
    ) async throws -> [String: [String: Any]].Values {
        let parts = holder.split(separator: ".").map(String.init)
        let found = try await postgres.query(
            """
            SELECT to_jsonb(found)::text AS row FROM \(identifier: parts[0]) AS found
            WHERE found.\(identifier: parts[1])::text IN (\(person.name), \(person.phone))
            """)
        var rows: [String: [String: Any]] = [:]
        for row in found {
            let text: String = try row.get("row")
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
            rows[text] = object.filter { leftOut["\(parts[0]).\($0.key)"] == nil }
        }
        return rows.values
    }

    /// Whether an exported row has every value of a stored one, under its column's name.
    private static func holds(_ exported: Any, _ row: [String: Any]) -> Bool {
        guard let exported = exported as? [String: Any] else { return false }
        return row.allSatisfy { name, value in exported[name].map { spelling($0) } == spelling(value) }
    }

    /// One spelling for the two ways to write times and bytes.
    private static func spelling(_ value: Any) -> String {
        guard let text = value as? String else { return "\(value)" }
        if text.hasPrefix("\\x") { return String(text.dropFirst(2)) }
        guard text.contains("T"), text.hasPrefix("20"), let end = text.dropFirst(19).first,
            ".+Z".contains(end)
        else {
            return text
        }
        let zone = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        guard let date = try? Date(text.prefix(19) + zone, strategy: .iso8601) else { return text }
        return date.formatted(.iso8601)
    }

    private static func export(
        _ service: WholeService, _ person: Person
    ) async throws -> [String: Any] {
        let answer = try await service.call("GET", "/v1/users/me/export", token: person.token)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.members
    }

    /// Somebody of whom there is a row in every table that users are in.
    private static func liveFullLife(in service: WholeService) async throws -> Person {
        let scene = try await service.scene()
        let (ada, postgres) = (scene.owner, service.postgres)
        try await postgres.execute(
            """
            UPDATE users
            SET time_zone = 'Europe/Berlin', time_zone_changed_at = now(), discoverable = false,
                quiet_from = '22:00', quiet_to = '07:00',
                last_active_on = current_date
            WHERE id = \(ada.id)
            """)
        try await postgres.execute(
            """
            INSERT INTO sessions (id, user_id, device_name, refresh_nonce, expires_at, ended_at)
            VALUES (\(UUID.version7()), \(ada.id), 'Ada''s old phone', '\\x00', now() + interval '1 day', now())
            """)
        try await postgres.execute(
            """
            INSERT INTO verifications (id, phone_number, code_hmac, attempts, expires_at, used_at)
            VALUES (\(UUID.version7()), \(ada.number), '\\x01', 2, now() + interval '5 minutes', now())
            """)
        let other = try await service.scene()
        let (received, used) = (UUID.version7(), UUID.version7())
        try await service.invite(received, ada.number, to: other.group, by: other.owner)
        try await service.invite(used, ada.number, to: other.group, by: other.owner)
        try await postgres.execute(
            "UPDATE invites SET used_at = now(), used_by = \(ada.id) WHERE id = \(used)")
        try await postgres.execute(
            "UPDATE group_members SET muted_until = now() + interval '1 hour' WHERE user_id = \(ada.id)")
        try await postgres.execute(
            """
            INSERT INTO group_events (group_id, number, kind, user_id)
            VALUES (\(scene.group), 1, 'member_joined', \(ada.id))
            """)
        let foe = try await service.person(name: "Eve")
        try await postgres.execute(
            "INSERT INTO former_members (group_id, user_id) VALUES (\(other.group), \(ada.id))")
        try await postgres.execute(
            """
            INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
            VALUES (\(ada.id), '\\x02', \(foe.id)), (\(foe.id), '\\x03', \(ada.id))
            """)
        try await postgres.execute(
            """
            INSERT INTO idempotency_keys (user_id, path, key, digest, resource_id)
            VALUES (\(ada.id), '/v1/focus/freeze', 'one', '\\x01', \(UUID.version7()))
            """)
        try await postgres.execute(
            "INSERT INTO contact_checks VALUES (\(ada.id), '\\x0102030405060708', now() + interval '1 day')")
        try await postgres.execute(
            """
            INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
            VALUES (\(scene.group), \(ada.id), current_date - 1)
            """)
        try await postgres.execute(
            """
            INSERT INTO upload_keys (group_id, sender_id, key, photo_id)
            VALUES (\(scene.group), \(ada.id), 'breakfast', \(scene.photo))
            """)
        try await postgres.execute(
            """
            INSERT INTO devices (id, digest, token, platform, user_id, session_id)
            VALUES (\(UUID.version7()), '\\x04', 'ada:token', 'android', \(ada.id), \(ada.session))
            """)
        try await postgres.execute(
            """
            INSERT INTO outbox (id, topic, key, user_id, payload, expires_at, keep_until)
            VALUES (\(UUID.version7()), 'notice', 'photo', \(ada.id), '{}', now() + interval '1 day',
                now() + interval '2 days')
            """)
        return ada
    }
}
