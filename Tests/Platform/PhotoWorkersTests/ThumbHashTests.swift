import Testing

@testable import PhotoWorkers

@Suite("ThumbHash")
struct ThumbHashTests {
    /// The published algorithm's result for two patterns, computed with another implementation of it
    /// (thumbhash-python 1.0).
    static let vectors: [(Int, Int, Bool, String)] = [
        (100, 75, false, "1f080e0d9a70778771777787877777878f8008f888"),
        (75, 100, false, "1ff80d0d1a7177707878777787777787808f08f777"),
        (100, 1, false, "15f62a79be8487878888087b7b874f8808"),
        (64, 48, true, "de17860c862c47d08588935888b05b167b0f74797777777707"),
        (48, 64, true, "def78524102c075c8868888575808907790974797777777707"),
        (33, 100, true, "1f0886220e2ca085685878b098099a8740977777777777"),
    ]

    @Test("a hash is what other implementations of the algorithm give", arguments: vectors)
    func agrees(width: Int, height: Int, isRough: Bool, expected: String) {
        let hash = ThumbHash.encode(
            width: width, height: height, rgba: isRough ? rough(width, height) : gradient(width, height))
        #expect(hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == expected)
    }

    @Test(
        "a hash has at most 25 bytes, at every shape",
        arguments: [(100, 100), (1, 100), (100, 1), (1, 1), (100, 60)])
    func isShort(width: Int, height: Int) {
        #expect(ThumbHash.encode(width: width, height: height, rgba: gradient(width, height)).count <= 25)
        #expect(ThumbHash.encode(width: width, height: height, rgba: rough(width, height)).count <= 25)
    }

    private func gradient(_ width: Int, _ height: Int) -> [UInt8] {
        TestPicture(width, height) { x, y in
            [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / (width + height)), 255]
        }.pixels
    }

    private func rough(_ width: Int, _ height: Int) -> [UInt8] {
        TestPicture(width, height) { x, y in
            [
                UInt8(x * 7 % 256), UInt8(y * 13 % 256), UInt8(x * y % 256),
                x > width / 3 ? 255 : UInt8(x * y * 3 % 256),
            ]
        }.pixels
    }
}
