import DaylyAPI
import Foundation
import Testing

extension EndToEnd {
    /// Personal data in the service's tables, logs and errors.
    @Suite("Privacy")
    struct PrivacyTests {
        /// Guard: codes of, and invitations to, a deleted number are deleted (`UserStore.delete`,
        /// `InvitationStore.delete`)
        /// Guard: log lines hold no path, no row's values and no secret (`RequestLogMiddleware`,
        /// `PostgresServerError.description`, `SMSTransport`)
        @Test(
            "of a deleted account nothing is left in database, bucket and log, and no log line tells a secret"
        )
        func discretion() async {
            let settings = ["log.level": "trace", "photos.sweep_interval": "1s"]
            await forEach([.filesystem, .rclone]) { (store: Store) in
                try await Service.run(on: store, settings) { service in
                    try await Discretion(service: service).tell()
                }
            }
        }
    }
}

extension Discretion {
    /// In the ways that one may stand in a row: as text, and as bytes, which PostgreSQL writes in hexadecimal.
    func traces(of person: Person) -> [String] {
        let texts = [person.number, String(person.number.dropFirst()), names[1], person.id.description]
        let hexadecimal = texts.map { $0.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        return texts + hexadecimal + [person.id.description.replacing("-", with: "")]
    }

    func rows(with person: Person) async throws -> [String] {
        let traces = traces(of: person)
        return try await service.database.client.everyRow().filter { row in
            traces.contains { row.contains($0) }
        }
    }

    func expectTraces(of person: Person, _ comment: Comment) async throws {
        let tables = Set(try await rows(with: person).compactMap { $0.split(separator: " ").first })
        let some: Set<Substring> = [
            "users", "sessions", "verifications", "group_members", "group_events", "blocks", "invites",
            "photos", "photo_slots", "upload_keys",
        ]
        #expect(tables.isSuperset(of: some), comment)
    }

    func expectNothing(of person: Person) async throws {
        #expect(try await rows(with: person) == [])
        let traces = traces(of: person)
        #expect(try await service.bucket.keys().allSatisfy { key in !traces.contains { key.contains($0) } })
        let bytes = traces.map { Array($0.utf8) }
        for object in try await service.bucket.contents() {
            #expect(!bytes.contains { object.contains($0) })
        }
    }

    func expectDiscretion(_ secrets: Secrets, ids: [ResourceID]) throws {
        let log = service.log
        for route in ["/v1/users/me/export", "/v1/invites/redeem", "/v1/groups/{id}/photos", "unmatched"] {
            // Bound, so that a failure does not print all of it.
            let isThere = log.contains(route)
            #expect(isThere, "there is a log to look at")
        }
        let isTalkative = log.contains("DEBUG")
        #expect(isTalkative)
        var texts = secrets.texts + ids.map(\.description) + [SMSInbox.token]
        if let password = URLComponents(string: service.database.url)?.password { texts.append(password) }
        texts.append(try String(contentsOf: service.dataFile("secret"), encoding: .utf8).trimmed)
        let pem = try String(contentsOf: service.dataFile("signing-key.pem"), encoding: .utf8)
        texts += pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
        if let key = service.bucket.settings["storage.s3.secret_access_key"] { texts.append(key) }
        for output in [log, secrets.otherOutput] {
            #expect(!output.isEmpty)
            for text in texts {
                let isTold = output.contains(text)
                #expect(text.count >= 6 && !isTold, "\(text)")
            }
            // Six digits may occur within a time or an id: a code stands by itself.
            let words = Set(
                output.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }.map(String.init))
            #expect(secrets.codes.count >= 8 && words.isDisjoint(with: secrets.codes), "a code is told")
        }
    }
}

/// Secrets that were used and must not be in any log.
struct Secrets {
    var texts: [String] = []
    var codes: Set<String> = []
    var otherOutput = ""

    /// Each part of a token by itself: a piece of it is too much already.
    mutating func add(_ tokens: TokenResponse) {
        texts += tokens.accessToken.split(separator: ".").dropFirst().map(String.init)
        texts.append(tokens.refreshToken)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension Array where Element == UInt8 {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        Data(self).range(of: Data(other)) != nil
    }
}
