import Auth
import DaylyTesting
import FeatureKit
@testable import Groups
import NIOCore
import Postgres
import RateLimiting
import Testing

@testable import DailyPhotos

@Suite("What uploads cost the decoders")
struct DecodingTests {
    @Test("of many uploads at once for one day, one is decoded")
    func oneDecoding() async throws {
        try await withWorld { world in
            let accepted = await withTaskGroup(of: Bool.self) { tasks in
                for seed in 0..<12 {
                    tasks.addTask {
                        (try? await world.send(Pictures.png(seed: seed)).isNew) ?? false
                    }
                }
                return await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 1)
            #expect(world.decodings.lines.count == 1)
        }
    }

    @Test(
        "after twenty unreadable pictures in an hour a sender's uploads are refused without decoding, and others' are not"
    )
    func quota() async throws {
        try await withTravellingWorld { world, clock in
            let sent = try await world.send(key: "sent")
            let half = Array(Pictures.png(width: 64, height: 64).prefix(6_000))
            let other = try await world.group(of: [world.alice])
            func sendElsewhere(_ picture: [UInt8]) async throws {
                _ = try await world.service.upload(to: other, from: world.alice, key: nil) {
                    try .of(ByteBuffer(bytes: picture))
                }
            }
            for _ in 0..<DecodingQuota.failuresPerHour {
                await #expect(throws: PhotoError.unreadableImage) { try await sendElsewhere(half) }
            }
            let decoded = world.decodings.lines.count
            await #expect(throws: RateLimited.self) {
                _ = try await world.service.upload(to: other, from: world.alice, key: nil) {
                    Issue.record("the body was read")
                    return try .of(ByteBuffer())
                }
            }
            // A repeated upload does not need a decoder, so it is still answered.
            #expect(try await world.send(key: "sent").photo.photo.id == sent.photo.photo.id)
            #expect(world.decodings.lines.count == decoded)
            #expect(try await world.send(Pictures.png(seed: 3), from: world.bob).isNew)
            try await clock.advance(by: .hours(1))
            try await sendElsewhere(Pictures.png(seed: 4))
        }
    }

    @Test("bytes that are not a picture cost no decoding and do not count")
    func noPicture() async throws {
        try await withWorld { world in
            for _ in 0...DecodingQuota.failuresPerHour {
                await #expect(throws: PhotoError.unsupportedMediaType) {
                    try await world.send(Array("hello".utf8))
                }
            }
            let retried = try await world.send()
            #expect(retried.isNew)
        }
    }
}

@Suite("Turns of uploads")
struct UploadTurnTests {
    private let slot = UploadTurns.Slot(
        group: GroupID(rawValue: .version7()), sender: UserID(rawValue: .version7()))

    private func wait(for count: Int, in turns: UploadTurns) async throws {
        try await eventually { turns.waitingCount(for: slot) == count }
    }

    @Test("turns are taken one at a time and in order, also when one is ended twice")
    func order() async throws {
        let turns = UploadTurns()
        let first = try await turns.begin(slot)
        #expect(!first.hasWaited)
        let second = Task { try await turns.begin(slot) }
        try await wait(for: 1, in: turns)
        let third = Task { try await turns.begin(slot) }
        try await wait(for: 2, in: turns)
        first.end()
        let turn = try await second.value
        #expect(turn.hasWaited)
        first.end()
        #expect(turns.waitingCount(for: slot) == 1)
        turn.end()
        try await third.value.end()
        #expect(try await turns.begin(slot).hasWaited == false)
    }

    @Test("uploads of other slots do not wait, and only a few may wait for one slot")
    func bounds() async throws {
        let turns = UploadTurns(maxWaiting: 1)
        let first = try await turns.begin(slot)
        let elsewhere = UploadTurns.Slot(group: GroupID(rawValue: .version7()), sender: slot.sender)
        #expect(try await turns.begin(elsewhere).hasWaited == false)
        let second = Task { try await turns.begin(slot) }
        try await wait(for: 1, in: turns)
        await #expect(throws: PhotoError.uploadInProgress(retryAfter: .seconds(5))) {
            try await turns.begin(slot)
        }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(turns.waitingCount(for: slot) == 0)
        first.end()
        #expect(try await turns.begin(slot).hasWaited == false)
    }
}
