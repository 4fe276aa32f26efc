import DaylyTesting
import Foundation
import NIOCore
import Testing

@testable import PhotoWorkers

/// Tests HEICs whose picture is made of tiles, as phones write them.
@Suite("Tiles")
struct TileTests {
    static let side = 64
    /// Twelve tiles, no two of which are alike.
    static let coded = (0..<12).map { index in
        TestPicture(side, side) { x, y in
            [UInt8(index * 20), UInt8(x * 3), UInt8(y * 3), 255]
        }.heif()
    }

    static func grid(cut: Int = 0, hidden: Bool = true, quarters: UInt8? = nil) -> [UInt8] {
        HEIFSurgery.grid(
            of: coded, side: side, columns: 4, rows: 3, cut: cut, hidden: hidden, quarters: quarters)
    }

    /// Guard: every tile of a HEIC lies at its place, on one thread and on two (CImageCodecs `heif_tiles.c`)
    @Test("every pixel is its tile's, on one thread and on two", arguments: [1, 2], [0, 10])
    func places(threads: Int, cut: Int) throws {
        let seen = try decoded(Self.grid(cut: cut), threads: threads)
        let width = 4 * Self.side - cut, height = 3 * Self.side - cut
        try #require(seen.count == width * height * 4)
        let tiles = try Self.coded.map { try decoded($0) }
        for y in 0..<height {
            for x in 0..<width {
                let tile = tiles[y / Self.side * 4 + x / Self.side]
                let there = ((y % Self.side) * Self.side + x % Self.side) * 4, here = (y * width + x) * 4
                guard tile[there..<there + 4] == seen[here..<here + 4] else {
                    Issue.record("\(x), \(y)")
                    return
                }
            }
        }
    }

    /// Guard: a turned grid is turned once (PhotoDecoding `HEIFGrid`)
    @Test("a grid of tiles is turned by its own property", arguments: [0, 1, 2, 3] as [UInt8])
    func turned(quarters: UInt8) async throws {
        let upright = TestPicture(jpeg: try await outcome(of: Self.grid()).get().photo)
        let image = try await outcome(of: Self.grid(quarters: quarters)).get()
        let turned = TestPicture(jpeg: image.photo)
        let sides: [Int] = quarters % 2 == 0 ? [256, 192] : [192, 256]
        try #require([turned.width, turned.height] == sides)
        // The upper left tile's middle, after each anticlockwise quarter turn.
        let places: [(Int, Int)] = [(32, 32), (32, 224), (224, 160), (160, 32)]
        let (x, y) = places[Int(quarters)]
        let seen = turned.colour(atX: x, y: y), expected = upright.colour(atX: 32, y: 32)
        #expect(distance(seen, expected) <= 6, "\(seen) for \(expected)")
    }

    /// Guard: one bad tile refuses the picture, whichever thread meets it (CImageCodecs `wait_for`)
    @Test("one bad tile makes the picture unreadable, whichever it is", arguments: 0..<12)
    func bad(tile: Int) async throws {
        var coded = Self.coded
        let start = try #require(FileSurgery.find("mdat", in: coded[tile])) + 4
        // The length of the first unit stays, and all that it contains is lost.
        for index in (start + 4)..<coded[tile].count { coded[tile][index] = 0 }
        let file = HEIFSurgery.grid(of: coded, side: Self.side, columns: 4, rows: 3)
        let report = try await report(of: file)
        #expect(report.outcome.label == "unreadable", "\(report)")
    }

    /// Guard: hidden tiles are decoded one by one (CImageCodecs `read_part`, PhotoDecoding `HEIFHead`)
    @Test("hidden tiles are decoded row by row: most of the picture is never in memory")
    func memory() async throws {
        // 31 megapixels, whose planes alone would take 90 MiB.
        let tile = TestPicture.textured(448, 448).heif()
        let file = HEIFSurgery.grid(of: [tile], side: 448, columns: 12, rows: 13)
        let report = try await report(of: file)
        #expect(report.outcome.label == "ok")
        #expect(report.peakMemoryBytes < 64 << 20, "\(report.peakMemoryBytes >> 20) MiB")
    }

    /// Guard: a picture has at most two decoding threads (photo-worker `main.swift`, `heif_tiles_get_help`)
    @Test("a picture of many tiles gets two decoding threads, and never more")
    func threads() async throws {
        let tile = TestPicture.textured(224, 224).heif()
        let file = HEIFSurgery.grid(of: [tile], side: 224, columns: 20, rows: 20)
        // Other tests decode other pictures beside this one, in workers of another name.
        let folder = try TemporaryFolder()
        let worker = folder.url.appendingPathComponent("tile-worker")
        try FileManager.default.createSymbolicLink(
            atPath: worker.path, withDestinationPath: testConfiguration.workerPath)
        let processor = makeProcessor { $0.workerPath = worker.path }
        let task = Task { try await processor.process(.of(ByteBuffer(bytes: file)), for: UUID()) }
        var most = 0
        while !processes().contains(where: { $0.name == "tile-worker" }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        for _ in 0..<300 where !task.isCancelled {
            for child in processes() where child.parent == Int(getpid()) && child.name == "tile-worker" {
                let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/task")
                most = max(most, threads?.count ?? 0)
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        _ = try await task.value
        #expect(most == (ImageProcessorConfiguration.coreCount > 1 ? 2 : 1))
    }
}
