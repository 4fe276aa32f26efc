import Foundation
import Postgres
import Synchronization

/// The history of each object, so that a finding about one explains itself: its requests to the store as the proxies saw
/// them. Triggers record the changes of its rows, in a schema of the harness's own.
final class Journal: Sendable {
    struct Event: Sendable {
        let time: Date
        let text: String

        var line: String {
            "\(time.formatted(.iso8601.time(includingFractionalSeconds: true))) \(text)"
        }
    }

    private let events = Mutex<[String: [Event]]>([:])

    func note(_ request: HTTPMessage, _ text: String) {
        let keys = Self.keys(of: request)
        guard !keys.isEmpty else { return }
        let event = Event(time: Date(), text: "\(request.method) \(text)")
        events.withLock { events in
            for key in keys { events[key, default: []].append(event) }
        }
    }

    func events(of key: String) -> [Event] { events.withLock { $0[key] ?? [] } }

    /// The objects that a request to the store is about.
    private static func keys(of request: HTTPMessage) -> [String] {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        if parts.count == 2, parts[1].hasPrefix("delete") {
            return String(decoding: request.body, as: UTF8.self).components(separatedBy: "<Key>").dropFirst()
                .map { String($0.prefix { $0 != "<" }) }
        }
        let key = (parts.first ?? "").dropFirst().drop { $0 != "/" }.dropFirst()
        return key.hasPrefix("photos/") ? [String(key)] : []
    }
}

extension World {
    /// Has the database note what becomes of the rows of every object.
    func keepJournal() async throws {
        for statement in Self.journalStatements {
            try await database.client.execute(SQL(unchecked: statement))
        }
    }

    /// Adds to what was found about an object what had befallen it; once for each object.
    func explained(_ findings: [Finding]) async throws -> [Finding] {
        var told: Set<String> = []
        var explained: [Finding] = []
        for var finding in findings {
            if let key = finding.text.firstMatch(of: /photos\/[0-9a-f-]+(_thumbnail)?\.jpg/)?.0,
                told.insert(String(key)).inserted
            {
                finding.story = try await story(of: String(key))
            }
            explained.append(finding)
        }
        return explained
    }

    private func story(of key: String) async throws -> [String] {
        let rows = try await database.client.query("SELECT at, what FROM faults.story WHERE key = \(key)")
        let events = try rows.map { Journal.Event(time: try $0.get("at"), text: try $0.get("what")) }
        return (events + journal.events(of: key)).sorted { $0.time < $1.time }.map(\.line)
    }

    private static let journalStatements = [
        "CREATE SCHEMA faults",
        """
        CREATE TABLE faults.story (
            key text NOT NULL,
            at timestamptz NOT NULL DEFAULT clock_timestamp(),
            what text NOT NULL
        )
        """,
        "CREATE INDEX ON faults.story (key)",
        """
        CREATE FUNCTION faults.note_object() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'DELETE' THEN
                INSERT INTO faults.story (key, what) VALUES (OLD.key, 'ledger: struck off');
            ELSE
                INSERT INTO faults.story (key, what)
                VALUES (NEW.key, format('ledger: due in %s s, passes %s, claimed by %s',
                                        round(EXTRACT(EPOCH FROM NEW.delete_after - now()), 1), NEW.passes,
                                        COALESCE(NEW.claimed_by::text, 'nobody')));
            END IF;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER zz_story AFTER INSERT OR UPDATE OR DELETE ON stored_objects
            FOR EACH ROW EXECUTE FUNCTION faults.note_object()
        """,
        """
        CREATE FUNCTION faults.note_photo() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            photo photos;
        BEGIN
            IF TG_OP = 'DELETE' THEN photo := OLD; ELSE photo := NEW; END IF;
            INSERT INTO faults.story (key, what)
            SELECT name, format('photo: %s, %s', lower(TG_OP),
                                CASE WHEN photo.lease_until IS NULL THEN 'live' ELSE 'pending' END)
            FROM unnest(ARRAY[photo.photo_key, photo.thumbnail_key]) AS name;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER zz_story AFTER INSERT OR DELETE OR UPDATE OF lease_until, expires_at ON photos
            FOR EACH ROW EXECUTE FUNCTION faults.note_photo()
        """,
    ]
}
