import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Focus

@Suite("What others learn of a phone")
struct FocusSecrecyTests {
    @Test("no answer, push message or hint to another user names the instant of an unlock")
    func instants() async throws {
        try await FocusWorld.run(at: "2026-03-02T08:00:00Z") { world in
            let ada = try await world.member(#"{"consent": "1", "nickname": "ada.l", "feed": true}"#)
            let bob = try await world.member(#"{"consent": "1", "nickname": "bob.l"}"#, name: "Bob")
            let group = try await world.group(of: [ada.id, bob.id])
            #expect(try await world.call(.put, "following/\(ada.id.rawValue)", as: bob).status == 204)
            try await world.befriend(ada, bob, inNewGroup: false)
            try await world.registerForPush(bob)
            let intention = try await world.call(
                .post, "intentions", as: ada, #"{"label": "Videos", "opens": 1, "minutes": 5}"#)
            try await world.postgres.execute("UPDATE focus_intentions SET streak = 4")
            let phone = try await world.phone(of: ada)
            try await world.set("2026-03-02T11:30:00Z")
            let heard = HeardHints(world.postgres)
            let at = "2026-03-02T11:23:47Z"
            try await phone.sync(
                phone.event("L", "09:00"), phone.event("U", at), phone.open(intention.text("id"), at: at),
                phone.open(intention.text("id"), at: at))
            var texts: [String] = []
            for path in [
                "groups/\(group.rawValue)/board", "feed", "following", "followers", "people/ada.l",
                "partners", "now",
            ] {
                let answer = try await world.call(.get, path, as: bob)
                #expect(answer.status == 200, "\(path): \(answer)")
                texts.append(answer.text)
            }
            // All of them know of the streak, or of the break.
            #expect(texts[0].contains("8627") && texts[1].contains("143") && texts[5].contains("2026-03-02"))
            let hints = heard.take()
            #expect(hints.contains { $0.users.contains(bob.id) })
            texts += hints.map(\.data)
            let messages = try await world.postgres.query(
                "SELECT o::text AS row FROM outbox o WHERE key LIKE 'partner_break %'")
            #expect(messages.count == 1)
            texts += try messages.map { try $0.get("row") }
            for text in texts {
                for secret in ["11:23", "1772450627", "09:00:00"] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
        }
    }
}
