@testable import CompanionClient
import DaylyClient
import ClientFixtures
import CompanionAPI
import DaylyAPI
import Foundation

/// Messages of Companion for tests.
enum CompanionExamples {
    static let id = ResourceID.numbered(1)
    /// 2026-03-02 in Europe/Berlin.
    static let begin = Date(timeIntervalSince1970: 1_772_406_000)

    static let survey = CompanionSurvey(
        use: 2, dependence: 2, sleep: 2, withoutPhone: 2, idle: 2, age: "25_34")
    static let preferences = CompanionPreferences(
        consent: "1", limitMinutes: 240, limitMinutesToday: 240, cooldownMinutes: 30, schedule: nil,
        nightly: true, joinedAt: begin)
    static let wallet = CompanionWallet(energy: 131, gems: 60, appAccountToken: id)
    static let pet = CompanionPet(
        id: id, species: "cat", name: "Miso", health: "healthy", fragileUntil: nil, unfedDays: 0,
        fedToday: true, fedEnergy: 110, buff: 0.1, fullness: 85, mood: 7, growth: 2_140, stage: "adult",
        bornOn: "2026-02-01", diedOn: nil, outfit: [])
    static let scarf = CompanionCosmetic(
        id: "red_scarf", title: "Red scarf", category: "neck", energy: 80, gems: nil, from: nil, to: nil,
        owned: true, available: true)
    static let catalog = CompanionCatalog(
        version: 0, foods: [], cosmetics: [scarf],
        recovery: CompanionRecovery(
            cure: CompanionRecoveryOffer(gems: 120, retryAt: nil),
            revive: CompanionRecoveryOffer(gems: 400, retryAt: nil),
            restart: CompanionRestartOffer(gems: 200, retryAt: nil, freeAt: nil)))
    static let synced = CompanionSyncAnswer(
        acknowledged: 1, rejected: [], serverTime: begin, day: day())

    static func day(bypasses: Int = 0, hp: Int = 100, band: Int = 100) -> CompanionDay {
        CompanionDay(
            day: "2026-03-02", beginsAt: begin, endsAt: begin.addingTimeInterval(86_400), hp: hp, band: band,
            state: "healthy", tone: nil, colour: "green", bypasses: bypasses, drops: 0, openSeconds: 0,
            openUntil: nil, lockedUntil: nil, firstUseAt: nil, lastUseAt: nil, limitMinutes: 240,
            usedMinutes: 0, within: true, energy: nil)
    }
}
