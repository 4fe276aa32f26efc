import CFocusTexts
import DaylyTesting
import FocusRules
import Foundation
import Notifications
import Testing

@testable import Focus

@Suite("The texts of Focus")
struct FocusTextsTests {
    /// Guard: a file of texts has each key that the service knows, and no other (`FocusTexts`)
    @Test("the file of a language has every notification and every temptation, and no other key")
    func keys() throws {
        for json in [focus_texts_en(), focus_texts_de()] {
            let file = try #require(try Self.object(json) as? [String: [String: Any]])
            #expect(file.keys.sorted() == ["notifications", "temptations"])
            let kinds: [NotificationKind] = [
                .results, .review, .morning, .partnerPrompt, .partnerBreak, .partnerRequest,
            ]
            #expect(file["notifications"]?.keys.sorted() == kinds.map(\.rawValue).sorted())
            let temptations = try #require(file["temptations"] as? [String: [String]])
            #expect(Set(temptations.keys) == Set(TemptationKind.allCases.map(\.rawValue)))
            for (type, texts) in temptations {
                #expect(texts.count == TemptationKind(rawValue: type)?.texts)
            }
        }
        let quips = try #require(try Self.object(focus_quips_en()) as? [String: [String]])
        #expect(Set(quips.keys) == Set(Quips.thresholds.map(String.init)))
    }

    private static func object(_ json: UnsafePointer<CChar>) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(String(cString: json).utf8))
    }

    @Test("each of the 32 thresholds has four texts of its own, short and kind")
    func texts() {
        let texts = Quips.thresholds.flatMap { minutes in
            (0..<Quips.textsPerThreshold).compactMap { FocusTexts.quip(minutes: minutes, number: $0) }
        }
        #expect(texts.count == 128)
        #expect(Set(texts).count == 128)
        #expect(texts.allSatisfy { $0.unicodeScalars.count <= 100 })
        for text in texts {
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: Self.shaming), "\(text)")
            #expect(!Self.orders.contains { text.lowercased().contains($0) }, "\(text)")
        }
    }

    @Test("minutes that are not a threshold have no text")
    func noTexts() {
        for minutes in [0, 29, 31, 50, 990] { #expect(FocusTexts.quip(minutes: minutes, number: 0) == nil) }
        #expect(FocusTexts.quip(minutes: 30, number: 4) == nil)
    }

    private static let shaming: Set<String> = [
        "shame", "blame", "ashamed", "guilt", "guilty", "fault", "fail", "failed", "failure", "lazy",
        "stupid",
        "pathetic", "useless", "disappointed", "disappointing", "addict", "addicted", "addiction", "wasted",
        "waste",
        "punish", "bad", "sad",
    ]
    private static let orders = [
        "you should", "you must", "you have to", "you need to", "you ought", "put down", "stop ", "too much",
        "too long",
    ]
}
