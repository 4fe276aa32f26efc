import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct DayTests {
    @Test("travelling west does not allow a second photo, and travelling east brings the next day sooner")
    func travelling() async throws {
        try await withWorld { world in
            // Whatever the hour, UTC+14 is a day ahead of UTC-12.
            try await move(world, to: "Pacific/Kiritimati")
            try await world.send()
            try await move(world, to: "Etc/GMT+12")
            await #expect(throws: PhotoError.self) { try await world.send(Pictures.png(seed: 2)) }
            #expect(try await world.count("SELECT count(*) FROM photos") == 1)
        }
        try await withWorld { world in
            try await move(world, to: "Etc/GMT+12")
            try await world.send()
            try await move(world, to: "Pacific/Kiritimati")
            #expect(try await world.send(Pictures.png(seed: 2)).isNew)
        }
    }

    /// Guard: a day must be later than the last one used (`UploadStore.decision`)
    @Test("the used day survives leaving and rejoining")
    func rejoining() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.leave(world.alice)
            try await world.join(world.alice, world.group)
            await #expect(throws: PhotoError.self) { try await world.send(Pictures.png(seed: 2)) }
        }
    }

    /// Guard: a day must be later than the last one used (`UploadStore.decision`)
    @Test("the answer names the next local midnight")
    func nextSendAt() async throws {
        try await withWorld { world in
            try await move(world, to: "Asia/Kathmandu")
            try await world.send()
            do {
                try await world.send(Pictures.png(seed: 2))
                Issue.record("a second photo was sent")
            } catch PhotoError.alreadySentToday(let nextSendAt) {
                // UTC+5:45: local midnight is 18:15 UTC.
                let seconds = Int(nextSendAt.timeIntervalSince1970)
                #expect(seconds % 86_400 == 18 * 3600 + 15 * 60)
                #expect(nextSendAt > Date() && nextSendAt < Date() + 86_400)
            }
        }
    }

    private func move(_ world: PhotoWorld, to zone: String) async throws {
        try await world.postgres.execute("UPDATE users SET time_zone = \(zone) WHERE id = \(world.alice)")
    }
}
