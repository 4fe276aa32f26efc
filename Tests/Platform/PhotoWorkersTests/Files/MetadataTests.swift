import Foundation
import NIOCore
import Testing

@testable import PhotoWorkers

@Suite("No metadata is carried over")
struct MetadataTests {
    @Test("another parser finds in the stored photo nothing of the original's metadata, wherever it stood")
    func isGone() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let places = MetadataPlace.made + (try await MetadataPlace.written(in: folder))
        #expect(Set(places.map(\.name)).count >= 40 && Set(places.map(\.name)).count == places.count)

        let stored = try await withThrowingTaskGroup { group in
            for (index, place) in places.enumerated() {
                group.addTask { try await store(place, index, in: folder) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let tags = try await ExifTool.tags(of: stored, in: folder)
        #expect(tags.count == places.count * 2)
        for (file, found) in tags {
            let place = places[Int(file.prefix { $0 != "-" }) ?? 0]
            #expect(found.isSuperset(of: Self.parts), "ExifTool reads it")
            let more = found.subtracting(Self.parts).filter { !$0.hasPrefix("System:") }
            #expect(more.isEmpty, "\(place.name): \(more.sorted())")
        }
    }

    /// Makes a photo of the file, searches it for the secret, and keeps both files for ExifTool. Returns their names.
    private func store(_ place: MetadataPlace, _ index: Int, in folder: String) async throws -> [String] {
        let isThere = FileSurgery.find(MetadataPlace.secret, in: place.file) != nil
        #expect(isThere != place.isHidden, "\(place.name)")
        let result = await outcome(of: place.file)
        #expect(result.error == nil, "\(place.name)")
        guard case .success(let image) = result else { return [] }
        for (seen, expected) in zip(TestPicture(jpeg: image.photo).quarterColours, TestPicture.colours) {
            #expect(distance(seen, expected.map(Int.init)) < 20, "\(place.name)")
        }
        return try [("photo", image.photo), ("thumbnail", image.thumbnail)].map { name, part in
            let bytes = Array(part.readableBytesView)
            for piece in ["K7zQ", "52.51", "Xw9"] {
                #expect(FileSurgery.find(piece, in: bytes) == nil, "\(place.name)")
            }
            #expect(
                Set(FileSurgery.segments(of: bytes).map(\.marker)) == [0xE0, 0xDB, 0xC0, 0xC4, 0xDA],
                "\(place.name)")
            let file = "\(index)-\(name).jpg"
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            return file
        }
    }

    /// Tags that ExifTool prints for any JPEG with an empty JFIF header, besides those of the file system.
    static let parts: Set<String> = [
        "SourceFile", "ExifTool:ExifToolVersion", "File:FileType", "File:FileTypeExtension", "File:MIMEType",
        "File:ImageWidth", "File:ImageHeight", "File:EncodingProcess", "File:BitsPerSample",
        "File:ColorComponents", "File:YCbCrSubSampling", "JFIF:JFIFVersion", "JFIF:ResolutionUnit",
        "JFIF:XResolution", "JFIF:YResolution", "Composite:ImageSize", "Composite:Megapixels",
    ]
}
