import DaylyTesting
import Foundation
import Testing

@testable import PhotoWorkers

/// Tests files in the form in which people's devices write them.
@Suite("Pictures from outside")
struct OutsidePicturesTests {
    struct Case: Decodable, CustomTestStringConvertible {
        let input: String
        let from: String
        /// The file with the right look.
        let want: String

        var testDescription: String { "\(input): \(from)" }
    }

    @Test(
        "a device's picture looks as in a common viewer",
        arguments: try outsideCases("pictures.json", of: Case.self))
    func looks(file: Case) async throws {
        let seen = TestPicture(jpeg: try await outcome(of: try bytes(file.input)).get().photo)
        let wanted = TestPicture(jpeg: try await outcome(of: try bytes(file.want)).get().photo)
        try #require(seen.width == wanted.width && seen.height == wanted.height)
        for channel in 0..<3 {
            let places = stride(from: channel, to: seen.pixels.count, by: 4)
            let sum = places.reduce(0) { $0 + abs(Int(seen.pixels[$1]) - Int(wanted.pixels[$1])) }
            #expect(sum < 8 * seen.width * seen.height, "channel \(channel)")
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: outsideFile("pictures/\(name)")))
    }
}
