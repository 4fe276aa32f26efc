import CompanionRules
import DaylyTesting
import DeviceIntake
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Companion

@Suite("Syncs of Companion and an oracle")
struct CompanionSyncOracleTests {
    private static let histories = 40

    @Test(
        "random histories over PostgreSQL come to the oracle's outcomes, days, energy and texts",
        arguments: [0, 20_000])
    func agrees(first: Int) async throws {
        let oracle = try await Shell.run(
            "python3 Tests/Products/Companion/Oracle/companion_histories.py \(Self.histories) \(first)")
        try #require(oracle.status == 0)
        let lines = oracle.output.split(separator: "\n").map {
            $0.split(separator: " ").compactMap { Int($0) }
        }
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            var (compared, replay) = (0, OracleHistory?.none)
            for line in lines {
                if line[0] == 1 { replay = try await OracleHistory(world, number: line[1]) }
                guard line[0] <= 22 else { continue }
                try await replay?.take(line[0], Array(line.dropFirst()))
                guard line[0] == 22, let replay else { continue }
                compared += 1
                #expect(replay.differences.isEmpty, "history \(replay.number)")
            }
            #expect(compared == Self.histories)
        }
    }
}

/// An account of the oracle's, played to the service. The oracle explains the lines.
private struct OracleHistory {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/Los_Angeles", "America/New_York", "Pacific/Auckland", "Pacific/Apia",
        "Asia/Beirut", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "America/Santiago",
        "America/Havana",
    ]
    private static let outcomes = [
        "accepted", "locked", "window_open", "not_shielded", "unknown_day", "too_old",
    ]

    let number: Int
    private(set) var differences: [String] = []
    private let world: CompanionSyncWorld
    private let user: UserID
    private var feature: CompanionFeature
    private var settings = CompanionSettingsChange(
        consent: "1", limitMinutes: 120, cooldownMinutes: 30, schedule: nil, wantsNightly: true)
    private var zone = "UTC"
    private var phones: [UUID]
    private var seq = 0
    private var wantedDays: [[Int]] = []
    private var wantedTexts: [[Int]] = []

    init(_ world: CompanionSyncWorld, number: Int) async throws {
        self.world = world
        self.number = number
        user = try await world.person().id
        feature = world.feature
        phones = (0..<4).map { _ in UUID() }
    }

    mutating func take(_ kind: Int, _ line: [Int]) async throws {
        switch kind {
        case 2: feature = try Self.feature(world, energyMax: line[0], gamma: line[1])
        case 3: zone = Self.zones[line[0]]
        case 10: try await begin(line)
        case 11: try await changeZone(at: line[0])
        case 12, 13, 15: try await change(kind, line)
        case 14: try await event(line[0], .bypass, at: line[1], now: line[2], wanted: line[5])
        case 16: try await event(line[0], .reshield, at: line[1], now: line[2])
        case 17: try await event(1, .open, at: line[0], now: line[1])
        case 18:
            try await event(
                4, .usage(day: line[0], minutes: line[1], isFinal: line[2] == 1), at: line[3], now: line[3],
                wanted: line[4])
        case 19: try await world.set(line[0])
        case 20: wantedDays.append(line)
        case 21: wantedTexts.append(Array(line.prefix(5)))
        case 22: try await compare()
        default: break
        }
    }

    private static func feature(
        _ world: CompanionSyncWorld, energyMax: Int, gamma: Int
    ) throws -> CompanionFeature {
        var settings = CompanionSettings()
        settings.energyMax = energyMax
        settings.gamma = Double(gamma) / 1_000
        return try CompanionSyncWorld.feature(settings, world.platform)
    }

    private mutating func begin(_ line: [Int]) async throws {
        try await world.set(line[1])
        guard line[2] == 1 else { return }
        try await world.postgres.execute("UPDATE users SET time_zone = \(zone) WHERE id = \(user)")
        settings = settings.with(limitMinutes: line[3])
        _ = try await feature.settingsService.put(settings, by: user)
    }

    private func changeZone(at now: Instant) async throws {
        try await world.set(now)
        try await world.changeZone(of: user, to: zone, by: feature)
    }

    private mutating func change(_ kind: Int, _ line: [Int]) async throws {
        switch kind {
        case 12: settings = settings.with(limitMinutes: line[0])
        case 13: settings = settings.with(cooldownMinutes: line[0])
        default:
            let weekdays = Set((1...7).filter { line[2] & 1 << $0 != 0 })
            settings = settings.with(
                schedule: weekdays.isEmpty
                    ? nil : ShieldSchedule(from: line[0], to: line[1], weekdays: weekdays))
        }
        _ = try await feature.settingsService.put(settings, by: user)
    }

    private mutating func event(
        _ device: Int, _ content: CompanionSyncRequest.Content, at time: Instant, now: Instant,
        wanted: Int = 0
    ) async throws {
        try await world.set(now)
        seq += 1
        let request = CompanionSyncRequest(
            device: phones[device - 1],
            report: .init(
                clientTime: now, uptime: nil,
                events: [.init(seq: seq, time: ReportedTime(at: time), content: content)]))
        let result = try await feature.syncs.sync(request, by: user)
        let outcome = result.rejected.first?.reason.rawValue ?? "accepted"
        expect("\(content) \(time)", outcome, Self.outcomes[wanted])
    }

    private mutating func compare() async throws {
        // A read does first the things that are due by now.
        _ = try await feature.settingsService.get(user)
        let (days, texts) = try await (days(), texts())
        expect("days", days, wantedDays)
        expect("texts", texts, wantedTexts)
    }

    private func days() async throws -> [[Int]] {
        let user = user
        return try await world.postgres.transaction { tx in
            try CompanionDayStore.list(tx, from: 0, of: user)
        }.map { day in
            let figures = day.figures
            return [
                day.day, figures.hp, figures.bypasses, figures.band.drops, figures.openSeconds,
                figures.firstUseAt ?? -1, figures.lastUseAt ?? -1, figures.usedMinutes, figures.limitMinutes,
                day.energy ?? -1,
            ]
        }
    }

    private func texts() async throws -> [[Int]] {
        try await world.postgres.query(
            """
            SELECT day - DATE '1970-01-01' AS day,
                CASE kind WHEN 'welcome' THEN 0 WHEN 'terminal' THEN 1 WHEN 'nightly' THEN 2 ELSE 10 + band END AS code,
                extract(epoch FROM at)::bigint AS at, pool, hp
            FROM companion_diary WHERE user_id = \(user) ORDER BY ordinal
            """
        ).map { row in
            let pool = DiaryPool(rawValue: try row.get("pool"))
            return [
                try row.get("day"), try row.get("code"), try row.get("at"),
                DiaryPool.allCases.firstIndex { $0 == pool } ?? -1, try row.get("hp"),
            ]
        }
    }

    private mutating func expect<Value: Equatable>(_ name: String, _ found: Value, _ wanted: Value) {
        if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
    }
}

extension CompanionSettingsChange {
    fileprivate func with(
        limitMinutes: Int? = nil, cooldownMinutes: Int? = nil, schedule: ShieldSchedule?? = .none
    ) -> CompanionSettingsChange {
        CompanionSettingsChange(
            consent: consent, limitMinutes: limitMinutes ?? self.limitMinutes,
            cooldownMinutes: cooldownMinutes ?? self.cooldownMinutes, schedule: schedule ?? self.schedule,
            wantsNightly: wantsNightly)
    }
}
