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

    /// Guard: an upload whose bytes have come judges the day again, when no other one of its day is being
    /// decoded (`PhotoService.upload`, `UploadTurns`)
    @Test("an upload whose day was taken while its bytes were on their way is not decoded")
    func takenMeanwhile() async throws {
        try await withWorld { world in
            await #expect(throws: PhotoError.self) {
                _ = try await world.service.upload(to: world.group, from: world.alice, key: nil) {
                    _ = try await world.send()
                    return try .of(ByteBuffer(bytes: Pictures.png(seed: 2)))
                }
            }
            #expect(world.decodings.lines.count == 1)
        }
    }

    /// Guard: only one upload of a day is decoded at a time (`UploadTurns.begin`)
    @Test("an upload of a day that is being decoded is refused at once, and one to another group is not")
    func oneAtATime() async throws {
        try await withWorld { world in
            let slot = UploadTurns.Slot(group: world.group, sender: world.alice)
            let other = try await world.group(of: [world.alice])
            let turn = try #require(world.service.turns.begin(slot))
            await #expect(throws: PhotoError.uploadInProgress(retryAfter: .seconds(2))) {
                try await world.send()
            }
            _ = try await world.service.upload(to: other, from: world.alice, key: nil) {
                try .of(ByteBuffer(bytes: Pictures.png(seed: 2)))
            }
            turn.end()
            let next = try #require(world.service.turns.begin(slot))
            // A turn that has ended does not end the next one.
            turn.end()
            #expect(world.service.turns.begin(slot) == nil)
            next.end()
            #expect(try await world.send().isNew)
        }
    }

    /// Guard: unreadable pictures of one sender are counted (`UploadStore.decisionBeforeDecoding`,
    /// `DecodingQuota`)
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
