import DaylyTesting
import Faults
import Foundation
import ProgramTesting
import Testing

/// The checker gets one breach of each rule and must report it, and must report nothing else.
@Suite("The checker of the fault harness")
struct CheckerTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func at(_ seconds: Double) -> Date { Self.start.addingTimeInterval(seconds) }

    private func photo(_ id: String, by sender: String = "ada", ending: Double = 1000) -> SeenPhoto {
        SeenPhoto(
            id: id, group: "g", sender: sender, createdAt: at(10), expiresAt: at(ending),
            urlExpiresAt: at(min(ending, 900)))
    }

    private func entry(
        _ user: String, _ call: Call, _ from: Double, _ answer: Answer = .status(200, .nothing)
    ) -> Entry {
        Entry(user: user, call: call, start: at(from), end: at(from + 1), answer: answer)
    }

    private func upload(
        by user: String = "ada", key: String = "k", bytes: Int = 1, day: Int = 0, _ from: Double,
        _ answer: Answer
    ) -> Entry {
        entry(user, .upload(group: "g", key: key, bytes: bytes, day: day), from, answer)
    }

    private func accepted(_ id: String) -> Answer { .status(201, .photos([photo(id)])) }

    /// Ada and Ben are in a group, Ada has sent a photo, Ben sees it.
    private var life: [Entry] {
        [
            entry("ada", .createGroup, 0, .status(201, .group("g"))),
            entry("ben", .redeem(code: "ABC234", group: "g"), 2, .status(200, .group("g"))),
            upload(10, accepted("p")),
            entry("ben", .feed(group: "g"), 20, .status(200, .photos([photo("p")]))),
            entry("ben", .fetch(photo: "p"), 22),
            entry("ada", .verify(verification: "v"), 30, .status(200, .tokens(refresh: "a"))),
            entry("ada", .refresh(parent: "a"), 32, .status(200, .tokens(refresh: "b"))),
            entry("ada", .hostileUpload(group: "g", mayBeTaken: false), 40, .status(422, .problem("x"))),
        ]
    }

    private func findings(_ more: Entry...) -> [Finding] { Checker(entries: life + more).findings }

    @Test("the checker finds nothing in an orderly history with lost answers and retries")
    func silence() {
        #expect(findings().isEmpty)
        #expect(
            findings(
                upload(50, .lost), upload(key: "k2", day: 1, 60, .status(503, .problem("unavailable"))),
                upload(key: "k2", day: 1, 70, accepted("p2")), upload(key: "k2", day: 1, 80, accepted("p2")),
                upload(key: "k3", day: 1, 90, .status(409, .problem("already_sent_today")))
            ).isEmpty)
    }

    @Test("1: an accepted photo that a member does not see, or cannot fetch")
    func readable() {
        let unseen = entry("ben", .feed(group: "g"), 25, .status(200, .photos([])))
        #expect(findings(unseen).contains { $0.invariant == 1 })
        let missing = entry("ben", .fetch(photo: "p"), 25, .status(404, .nothing))
        #expect(findings(missing).contains { $0.invariant == 1 })
        // After its expiry or deletion it may be gone.
        let late = entry("ben", .feed(group: "g"), 1100, .status(200, .photos([])))
        let deleted = entry("ada", .deletePhoto(id: "p"), 23)
        #expect(findings(late).isEmpty)
        #expect(findings(deleted, unseen).isEmpty)
    }

    @Test("2: two photos of a day, by what was answered and by what is seen")
    func twice() {
        #expect(findings(upload(key: "k2", 50, accepted("p2"))).contains { $0.invariant == 2 })
        let both = Answer.status(200, .photos([photo("p"), photo("p2")]))
        #expect(findings(entry("ben", .feed(group: "g"), 50, both)).contains { $0.invariant == 2 })
    }

    @Test("2: a day that is used up by nothing, and an upload that never comes through")
    func usedUp() {
        let refused = upload(key: "k2", day: 1, 50, .status(409, .problem("already_sent_today")))
        #expect(findings(refused).contains { $0.invariant == 2 })
        let failed = [50.0, 120, 220].map { second in
            upload(key: "k2", day: 1, second, .status(503, .problem("unavailable")))
        }
        #expect(Checker(entries: life + failed).findings.contains { $0.invariant == 2 })
    }

    @Test("2: a key that stands for two photos or two files")
    func keys() {
        #expect(findings(upload(50, accepted("p2"))).contains { $0.invariant == 2 })
        #expect(findings(upload(bytes: 2, 50, accepted("p"))).contains { $0.invariant == 2 })
    }

    @Test("3: an object before its row, without one, and what stays behind")
    func objects() {
        let early = Checker(entries: [], observations: [.putWithoutRow("photos/a.jpg")])
        #expect(early.findings.map(\.invariant) == [3])
        var remains = Remains()
        remains.objects["photos/a.jpg"] = [1]
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [3])
        remains.ledger = ["photos/a.jpg"]
        #expect(Checker(entries: []).findings(in: remains, isOver: false).isEmpty)
        remains.photos = [StoredPhoto(id: "p", group: "g", sender: "ada", isExpired: true)]
        #expect(Checker(entries: []).findings(in: remains, isOver: true).map(\.invariant) == [3, 3, 3])
    }

    @Test("1 and 2: a live photo without its objects, and two rows for a day")
    func rows() {
        var remains = Remains()
        remains.photos = [StoredPhoto(id: "p", group: "g", sender: "ada", keys: ["photos/a.jpg"])]
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [1])
        remains.photos = ["p", "q"].map { StoredPhoto(id: $0, group: "g", sender: "ada") }
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [2])
    }

    @Test(
        "4: a photo that is shown to a stranger or a former member, after its end, or after its sender has left"
    )
    func strangers() {
        let seen = Answer.status(200, .photos([photo("p")]))
        #expect(findings(entry("eve", .feed(group: "g"), 50, seen)).contains { $0.invariant == 4 })
        #expect(findings(entry("eve", .photo(id: "p"), 50, seen)).contains { $0.invariant == 4 })
        let removal = entry("ada", .remove(group: "g", member: "ben"), 50)
        #expect(findings(removal, entry("ben", .feed(group: "g"), 60, seen)).contains { $0.invariant == 4 })
        #expect(findings(entry("ben", .feed(group: "g"), 1100, seen)).contains { $0.invariant == 4 })
        let sent = upload(by: "ben", 60, .status(201, .photos([photo("q", by: "ben")])))
        #expect(findings(removal, sent).contains { $0.invariant == 4 })
        // A member who joined again is not a stranger.
        let back = entry("ben", .redeem(code: "DEF567", group: "g"), 55, .status(200, .group("g")))
        #expect(findings(removal, back, entry("ben", .feed(group: "g"), 60, seen)).isEmpty)
    }

    @Test("4: a URL that outlives its photo, or lives too long")
    func urls() {
        var photo = photo("p")
        photo.urlExpiresAt = at(1001)
        let answer = Answer.status(200, .photos([photo]))
        #expect(findings(entry("ben", .feed(group: "g"), 50, answer)).contains { $0.invariant == 4 })
        photo.expiresAt = at(100_000)
        photo.urlExpiresAt = at(5000)
        let long = Checker(
            entries: [
                entry("ada", .createGroup, 0, .status(201, .group("g"))),
                entry("ada", .feed(group: "g"), 50, .status(200, .photos([photo]))),
            ])
        #expect(long.findings.contains { $0.invariant == 4 })
    }

    @Test("5: the original's metadata in an object, a file or a row")
    func metadata() {
        let secret = Array("…\(Pictures.secretText)…".utf8)
        var remains = Remains()
        remains.files["tmp/x"] = secret
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [5])
        remains.database = ["photos (\(Pictures.secretText))"]
        remains.objects["photos/a.jpg"] = secret
        remains.ledger = ["photos/a.jpg"]
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [5, 5, 5])
    }

    @Test("6: too many groups or members, and an invitation that is used twice")
    func limits() {
        var remains = Remains()
        (remains.mostGroups, remains.mostMembers) = (6, 13)
        #expect(Checker(entries: []).findings(in: remains, isOver: false).map(\.invariant) == [6, 6])
        let other = entry("eve", .redeem(code: "ABC234", group: "g"), 50, .status(200, .group("g")))
        #expect(findings(other).contains { $0.invariant == 6 })
        let removal = entry("ada", .remove(group: "g", member: "ben"), 50)
        let again = entry("ben", .redeem(code: "ABC234", group: "g"), 60, .status(200, .group("g")))
        #expect(findings(removal, again).contains { $0.invariant == 6 })
        // The same answer again is not a second use.
        #expect(findings(again).isEmpty)
    }

    @Test("7: a sign-in code that works twice, and a refresh token that has two children")
    func signingIn() {
        let verify = entry("ada", .verify(verification: "v"), 50, .status(200, .tokens(refresh: "c")))
        #expect(findings(verify).contains { $0.invariant == 7 })
        let refresh = entry("ada", .refresh(parent: "a"), 50, .status(200, .tokens(refresh: "c")))
        #expect(findings(refresh).contains { $0.invariant == 7 })
    }

    @Test(
        "8: two messages about one group on one day; not the same one twice, nor one for each group and day")
    func news() {
        let first = Delivery(id: "1", device: "phone", group: "g", day: "2026-01-01")
        var others = [first, first]
        others[1].device = "tablet"
        for (id, path) in [("2", \Delivery.group), ("3", \Delivery.day)] {
            var other = first
            other.id = id
            other[keyPath: path] = "other"
            others.append(other)
        }
        #expect(Checker(entries: []).findings(among: [first] + others).isEmpty)
        var second = first
        second.id = "4"
        #expect(Checker(entries: []).findings(among: others + [second]).map(\.invariant) == [8])
    }

    @Test("9: a number, a code or a token in a log")
    func logs() {
        let message = TextMessage(
            id: "1", to: "+4915112345678", body: "Your Dayly verification code is: 123456")
        for line in ["to 15112345678", "code 123456 sent", "Bearer abcdefgh"] {
            #expect(Checker.findings(inLog: line, messages: [message]).map(\.invariant) == [9])
        }
        #expect(Checker.findings(inLog: "id 1234567 done", messages: [message]).isEmpty)
    }

    @Test("10 and 0: a hostile file that is taken or breaks something, and an accident")
    func accidents() {
        for status in [201, 500] {
            let hostile = entry(
                "ada", .hostileUpload(group: "g", mayBeTaken: false), 50, .status(status, .nothing))
            #expect(findings(hostile).contains { $0.invariant == 10 })
        }
        let accident = entry("ada", .feed(group: "g"), 50, .status(500, .problem("internal_error")))
        #expect(findings(accident).contains { $0.invariant == 0 })
    }
}
