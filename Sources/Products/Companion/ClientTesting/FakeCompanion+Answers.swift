import CompanionClient
import DaylyClientTesting
import CompanionAPI
import DaylyAPI
import DaylyClient
import Foundation

extension FakeCompanion {
    var now: Date { scene.now }

    /// The user with a day of four bypasses, and a pet.
    mutating func join() {
        self.preferences = made(CompanionPreferencesRequest(limitMinutes: 240))
        let phone = ResourceID(UUID())
        for number in 1...4 {
            let event = CompanionSyncEvent(
                seq: number, kind: "bypass", at: now.addingTimeInterval(-3_600 * Double(5 - number)))
            _ = self.take(event, of: phone, now: now)
        }
        self.pet = newPet(CompanionNewPet(species: "cat", name: "Miso"))
    }

    /// Answers a call of Companion. Lists of what the service does not know are empty.
    mutating func answer(to request: TransportRequest, in scene: FakeScene) -> StubAnswer {
        self.scene = scene
        let operation = Operation.allCompanion.called(by: request)
        switch operation {
        case .putCompanionSettings:
            let settings = body(request, CompanionPreferencesRequest.self)
            self.preferences = made(settings ?? CompanionPreferencesRequest(limitMinutes: 240))
        case .leaveCompanion:
            self = FakeCompanion(scene: scene)
            return .done
        case .scoreCompanionSurvey:
            return .json(CompanionSurveyResult(score: 63, level: "high", years: 10.4))
        case .getCompanionTexts: return .json(CompanionTextPools(version: 1, pools: [:]))
        case .getCompanionFlags: return .json(CompanionFlags(flags: []))
        default: break
        }
        guard let preferences = self.preferences else { return .problem(409, .companionNotJoined) }
        switch operation {
        case .getCompanionSettings, .putCompanionSettings: return .json(preferences)
        case .getCompanionToday, .getCompanionDay: return .json(self.day(now))
        case .syncCompanion: return syncCompanion(request)
        case .listCompanionDevices: return .json(CompanionDeviceList(devices: []))
        case .listCompanionDiary: return .json(CompanionDiary(entries: self.diary, cursor: nil))
        default: return answerPet(operation, request)
        }
    }

    private func made(_ settings: CompanionPreferencesRequest) -> CompanionPreferences {
        CompanionPreferences(
            consent: settings.consent, limitMinutes: settings.limitMinutes,
            limitMinutesToday: settings.limitMinutes, cooldownMinutes: settings.cooldownMinutes ?? 30,
            schedule: settings.schedule, nightly: settings.nightly ?? true,
            joinedAt: self.preferences?.joinedAt ?? now)
    }

    private mutating func syncCompanion(_ request: TransportRequest) -> StubAnswer {
        guard let sync = body(request, CompanionSync.self) else { return .problem(400, .invalidRequest) }
        let rejected = sync.events.compactMap { self.take($0, of: sync.deviceID, now: now) }
        return .json(
            CompanionSyncAnswer(
                acknowledged: self.acknowledged[sync.deviceID] ?? 0, rejected: rejected,
                serverTime: now, day: self.day(now)))
    }

    func newPet(_ pet: CompanionNewPet) -> CompanionPet {
        CompanionPet(
            id: ResourceID(UUID()), species: pet.species, name: pet.name, health: "healthy",
            fragileUntil: nil, unfedDays: 0, fedToday: false, fedEnergy: 0, buff: 0, fullness: 50, mood: 5,
            growth: 0, stage: "baby", bornOn: FakeDay.of(now), diedOn: nil, outfit: [])
    }
}
