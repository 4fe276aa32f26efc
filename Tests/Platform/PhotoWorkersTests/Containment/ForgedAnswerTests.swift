import Foundation
import Testing

@testable import PhotoWorkers

/// Tests workers whose answers have the right form and forged contents.
/// Guard: a worker's answer is validated: sizes, dimensions, markers (`WorkerAnswer`, `StoredJPEG`)
@Suite("A forged answer")
struct ForgedAnswerTests {
    struct Answer: Sendable {
        var magic = 0x3159_4C44
        var format = 1
        var photo = TestPicture.quarters(64, 48).jpeg()
        var photoSize = (64, 48)
        var thumbnail = TestPicture.quarters(32, 24).jpeg()
        var thumbnailSize = (32, 24)
        var placeholderSize = (4, 3)
        var statedPhotoBytes: Int?

        var bytes: [UInt8] {
            let numbers = [
                magic, format, 0, 0, statedPhotoBytes ?? photo.count, photoSize.0, photoSize.1,
                thumbnail.count,
                thumbnailSize.0, thumbnailSize.1, placeholderSize.0, placeholderSize.1,
            ]
            let header: [UInt8] = numbers.flatMap { FileSurgery.bigEndian($0, 4).reversed() as [UInt8] }
            return header + photo + thumbnail + [UInt8](repeating: 90, count: 4 * 3 * 4)
        }
    }

    static func forged() -> [(String, Answer)] {
        let exif = FileSurgery.exifSegment(FileSurgery.exif(orientation: 1))
        func answer(_ change: (inout Answer) -> Void) -> Answer {
            var answer = Answer()
            change(&answer)
            return answer
        }
        return [
            ("no magic", answer { $0.magic = 1 }),
            ("an unknown format", answer { $0.format = 77 }),
            ("a photo with Exif", answer { $0.photo = FileSurgery.jpeg($0.photo, inserting: exif) }),
            ("a photo of another size", answer { $0.photoSize = (48, 64) }),
            ("a photo that is too large", answer { $0.photoSize = (2049, 48) }),
            (
                "a thumbnail with Exif",
                answer { $0.thumbnail = FileSurgery.jpeg($0.thumbnail, inserting: exif) }
            ),
            ("a thumbnail of another size", answer { $0.thumbnailSize = (24, 32) }),
            (
                "a thumbnail larger than its photo",
                answer {
                    $0.thumbnail = TestPicture.quarters(100, 75).jpeg()
                    $0.thumbnailSize = (100, 75)
                }
            ),
            ("a placeholder of nothing", answer { $0.placeholderSize = (0, 0) }),
            ("a placeholder that is too large", answer { $0.placeholderSize = (101, 1) }),
            ("more bytes than there can be", answer { $0.statedPhotoBytes = 0xFFFF_FFFF }),
            ("fewer bytes than there are", answer { $0.statedPhotoBytes = 10 }),
        ]
    }

    @Test("an answer that holds together is believed")
    func sound() async throws {
        #expect(try await label(of: Answer()) == "ok")
    }

    @Test("a rule that allows less does not", arguments: forged())
    func isRefused(name: String, answer: Answer) async throws {
        #expect(try await label(of: answer) == "invalid_answer", "\(name)")
    }

    private func label(of answer: Answer) async throws -> String {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(answer.bytes).write(to: URL(fileURLWithPath: "\(folder)/answer"))
        let path = try script("cat \(folder)/answer >&1")
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await PhotoWorkersTests.label(of: [1]) { $0.workerPath = path }
    }
}
