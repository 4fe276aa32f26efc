import DaylyTesting
import Foundation
import Push
import Testing

@testable import DaylyServer
@testable import Notifications

@Suite("Texts of push messages for browsers")
struct WebNotificationTests {
    @Test("a browser gets a text for every kind, and for every text of a temptation, in both languages")
    func webTexts() throws {
        let text = WebNotificationText(
            publicURL: "https://dayly.example", notifications: Features.webNotifications)
        let kinds = Features.webNotifications.keys
        func body(_ data: [String: String], _ language: String) -> String {
            text(
                PushMessage(
                    id: UUID(), collapseID: "c", threadID: "t", titleKey: "t", bodyKey: "b", data: data,
                    expiresAt: Date()), language: language
            ).body
        }
        let counts = ["curiosity": 5, "social": 3, "fomo": 3, "taunt": 4, "fake_urgency": 5]
        for language in ["en", "de"] {
            let test = body([:], language)
            var bodies = kinds.filter { $0.rawValue != "temptation" }.map {
                body(["kind": $0.rawValue], language)
            }
            for (type, count) in counts {
                let data = ["kind": "temptation", "type": type]
                bodies += (0..<count).map { body(data.merging(["number": "\($0)"]) { $1 }, language) }
                #expect(body(data.merging(["number": "\(count)"]) { $1 }, language) == test)
            }
            #expect(!bodies.contains(test) && Set(bodies).count == 14 - 1 + 20)
        }
    }
}
