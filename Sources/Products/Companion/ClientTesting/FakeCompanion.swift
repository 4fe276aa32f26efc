import DaylyClientTesting
import CompanionClient
import CompanionAPI
import DaylyAPI
import DaylyClient
import Foundation

/// The part of Companion in a ``FakeService``: one day of UTC, and a pet.
struct FakeCompanion: FakePart {
    static let path = "companion"

    var scene: FakeScene
    var preferences: CompanionPreferences?
    /// The last event of each phone.
    var acknowledged: [ResourceID: Int] = [:]
    /// The windows of the phones.
    var windows: [ResourceID: CompanionPhoneDay.Window] = [:]
    var bypasses: [Date] = []
    var minutes: Int?
    var diary: [CompanionEntry] = []
    var pet: CompanionPet?
    var wallet = CompanionWallet(energy: 150, gems: 500, appAccountToken: ResourceID(UUID()))
    var owned: Set<String> = []

    /// Takes an event if its number is new.
    /// - Returns: the reason if it counts as none.
    mutating func take(
        _ event: CompanionSyncEvent, of device: ResourceID, now: Date
    ) -> CompanionRejection? {
        guard event.seq > acknowledged[device, default: 0], let preferences else { return nil }
        acknowledged[device] = event.seq
        var day = CompanionPhoneDay(day(now), window: windows[device])
        switch event.kind {
        case "bypass":
            let judgement = day.bypass(at: event.at, settings: preferences, zone: .gmt)
            guard judgement == .accepted else { return .init(seq: event.seq, reason: judgement.rawValue) }
            bypasses.append(event.at)
        case "reshield": day.reshield(at: event.at)
        case "usage": minutes = max(minutes ?? 0, event.minutes ?? 0)
        default: welcome(at: event.at, day)
        }
        windows[device] = day.window
        return nil
    }

    private mutating func welcome(at time: Date, _ day: CompanionPhoneDay) {
        guard diary.isEmpty else { return }
        diary.append(
            CompanionEntry(
                id: ResourceID(UUID()), day: day.day, at: time, kind: "welcome", pool: "welcome", band: nil,
                hp: day.hp, number: 0, text: "I stretched twice and then looked for you."))
    }

    func day(_ now: Date) -> CompanionDay {
        let begin = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
        let end = begin.addingTimeInterval(86_400)
        let (hp, open) = (max(0, 100 - 5 * bypasses.count), windows.values.filter { $0.contains(now) })
        let band = CompanionPhoneBand(hp: hp)
        let seconds = 60 * (preferences?.cooldownMinutes ?? 30) * bypasses.count
        let (used, limit) = (minutes ?? seconds / 60, preferences?.limitMinutesToday ?? 240)
        return CompanionDay(
            day: FakeDay.of(now), beginsAt: begin, endsAt: end, hp: hp, band: band.value, state: band.state,
            tone: band.tone, colour: band.colour, bypasses: bypasses.count, drops: band.drops,
            openSeconds: seconds, openUntil: open.map(\.closes).max(), lockedUntil: hp == 0 ? end : nil,
            firstUseAt: bypasses.min(), lastUseAt: bypasses.max(), limitMinutes: limit, usedMinutes: used,
            within: used <= limit, energy: nil)
    }

    /// The foods and cosmetics of a service without a catalogue of its own, in part.
    var catalog: CompanionCatalog {
        CompanionCatalog(
            version: 0,
            foods: [food("snack", 30, 5, 2), food("dinner", 50, 20, 1), food("feast", 100, 40, 2)],
            cosmetics: [cosmetic("red_scarf", "neck", energy: 80), cosmetic("straw_hat", "head", gems: 80)],
            recovery: CompanionRecovery(
                cure: .init(gems: 120, retryAt: nil), revive: .init(gems: 400, retryAt: nil),
                restart: .init(gems: 200, retryAt: nil, freeAt: nil)))
    }

    private func food(_ id: String, _ energy: Int, _ fullness: Int, _ mood: Int) -> CompanionFood {
        CompanionFood(
            id: id, title: id.capitalized, species: "both", energy: energy, fullness: fullness, mood: mood,
            buff: 0, animation: nil)
    }

    private func cosmetic(
        _ id: String, _ category: String, energy: Int? = nil, gems: Int? = nil
    ) -> CompanionCosmetic {
        CompanionCosmetic(
            id: id, title: id.replacing("_", with: " ").capitalized, category: category, energy: energy,
            gems: gems, from: nil, to: nil, owned: owned.contains(id), available: true)
    }
}
