import DaylyTesting
import Faults
import Foundation
import Testing

/// The checker of streams gets one breach of each kind and must report it.
@Suite("The checker of streams in the fault harness")
struct StreamCheckerTests {
    private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + seconds) }

    /// A stream that shows photos a second after one another, and their ends ten seconds later.
    private func log(_ photos: [String], ends: [String]? = nil) -> StreamLog {
        var log = StreamLog()
        log.events = (0..<photos.count).map { "event-\($0)" }
        log.created = photos.enumerated().map { .init(group: "g", photo: $1, at: at(Double($0))) }
        log.ended = (ends ?? photos).enumerated().map {
            .init(group: "g", photo: $1, at: at(Double($0) + 10))
        }
        return log
    }

    private func findings(_ log: StreamLog, accepted: Set<String> = ["a", "b", "c"]) -> [Finding] {
        let ada = StreamChecker.Reader(user: "ada", groups: ["g"], log: self.log(["a", "b", "c"]))
        let ben = StreamChecker.Reader(user: "ben", groups: ["g"], log: log)
        return StreamChecker(readers: [ada, ben], accepted: ["g": accepted]).findings
    }

    @Test("the checker finds nothing where streams agree")
    func silence() {
        #expect(findings(log(["a", "b", "c"])).isEmpty)
    }

    @Test("a photo that is missing, repeated or out of order is found")
    func photos() {
        #expect(findings(log(["a", "c"])).contains { $0.text.contains("lacks 1 photos") })
        #expect(findings(log(["a", "b", "b", "c"])).contains { $0.text.contains("repeats 1 new photos") })
        #expect(findings(log(["b", "a", "c"])).contains { $0.text.contains("another order") })
    }

    @Test("an end that is missing, and a repeated event, are found")
    func ends() {
        #expect(
            findings(log(["a", "b", "c"], ends: ["a", "b"])).contains { $0.text.contains("the ends of 1") })
        var repeated = log(["a", "b", "c"])
        repeated.events[1] = repeated.events[0]
        #expect(findings(repeated).contains { $0.text.contains("repeats 1 events") })
    }

    /// Ben's stream shows these steps of his, each with its cursor.
    private func steps(_ steps: [(name: String, cursor: String)]) -> [Finding] {
        var log = log(["a", "b", "c"])
        let text = steps.map { name, cursor in
            "event: \(name)\ndata: {\"group_id\":\"h\",\"user_id\":\"ben\"}\nid: \(cursor)\n\n"
        }
        log.add(EventText(text.joined()).events, at: at(0))
        return findings(log)
    }

    @Test("somebody may leave twice at one cursor if they came back in between")
    func leaving() {
        #expect(steps([("member.left", "1"), ("member.joined", "2"), ("member.left", "1")]).isEmpty)
        let returned = ("member.joined", "2")
        #expect(
            steps([("member.left", "1"), returned, returned, ("member.left", "1")]).contains {
                $0.text.contains("repeats 1 events")
            })
        #expect(steps([("member.left", "1"), ("member.left", "1")]).contains { $0.text.contains("repeats") })
    }

    @Test("an accepted photo that no stream shows, and a refused stream, are found")
    func acceptance() {
        let all = log(["a", "b", "c"])
        #expect(
            findings(all, accepted: ["a", "d"]).contains { $0.text.contains("no stream shows 1 accepted") })
        var refused = all
        refused.refusals = [410]
        #expect(findings(refused).contains { $0.text.contains("refused with 410") })
    }

    @Test("a photo may be missing only where it ended while the stream was away")
    func gaps() {
        var away = log(["a", "c"])
        away.gaps = [at(0.5)...at(12)]
        #expect(findings(away).isEmpty)
        away.gaps = [at(0.5)...at(5)]
        #expect(findings(away).contains { $0.text.contains("lacks 1 photos") })
    }
}
