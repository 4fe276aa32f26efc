import DaylyTesting
import Foundation
import Testing

@testable import PhotoWorkers

/// Tests the real worker on a kernel that allows no system call filter.
/// Guard: nothing runs without a required sandbox (`ImageProcessor.run`)
@Suite("Where the sandbox is refused")
struct SandboxRefusalTests {
    private let picture = TestPicture.quarters(64, 48).jpeg()

    private func processor(_ sandbox: ImageProcessorConfiguration.Sandbox) throws -> (ImageProcessor, String)
    {
        let path = try script(
            "exec \(TestProducts.path("hostile-worker")) refuse \(testConfiguration.workerPath) \"$@\"")
        return (
            makeProcessor {
                $0.workerPath = path
                $0.sandbox = sandbox
            }, path
        )
    }

    @Test("no picture is decoded without a required sandbox")
    func required() async throws {
        let (processor, path) = try processor(.required)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(await outcome(of: picture, processor: processor).error == .sandboxRefused)
        await #expect(throws: PhotoWorkerError.sandboxRefused) { try await processor.check() }
    }

    @Test("without an optional sandbox pictures are decoded under their limits alone, and a warning says so")
    func optional() async throws {
        let (processor, path) = try processor(.optional)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(await outcome(of: picture, processor: processor).error == nil)
        let isSandboxed = try await processor.check()
        #expect(!isSandboxed)
    }

    /// Guard: a worker's blame of the service is believed only if the self-test ends in the same way
    /// (`ImageProcessor.run`)
    @Test(
        "a picture whose worker blames the kernel or the installation is unreadable, and the sandbox stays",
        arguments: [ImageProcessorConfiguration.Sandbox.required, .optional], [14, 15, 127])
    func falseBlame(sandbox: ImageProcessorConfiguration.Sandbox, exitCode: Int) async throws {
        // The picture of the self-test is a PNG.
        let path = try script(
            """
            # A new opening begins at the start of the file; the inherited one is at its end.
            read -r head </proc/self/fd/0
            case "$head" in *PNG*) exec \(testConfiguration.workerPath) "$@" ;; esac
            exit \(exitCode)
            """)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let processor = makeProcessor {
            $0.workerPath = path
            $0.sandbox = sandbox
        }
        #expect(await outcome(of: picture, processor: processor).error == .unreadable)
        let isSandboxed = try await processor.check()
        #expect(isSandboxed)
    }

    @Test("an optional sandbox is used if the kernel allows it")
    func granted() async throws {
        let isSandboxed = try await makeProcessor { $0.sandbox = .optional }.check()
        #expect(isSandboxed)
    }
}

/// Guard: a format that is switched off is not decoded, under no other brand either (`PhotoPipeline`,
/// `HEIFSelection.parts`)
@Suite("Formats that are switched off")
struct FormatSwitchTests {
    @Test("a format that is switched off is unsupported, and no other", arguments: PictureFormat.allCases)
    func off(format: PictureFormat) async throws {
        let picture = TestPicture.quarters(64, 48)
        let files: [PictureFormat: [UInt8]] = [
            .jpeg: picture.jpeg(), .png: picture.png(), .heif: picture.heif(),
            .avif: picture.heif(avif: true), .webp: picture.webp(),
        ]
        let processor = makeProcessor { $0.formats.remove(format) }
        for (other, file) in files {
            let error = await outcome(of: file, processor: processor).error
            #expect(error == (other == format ? .unsupportedFormat : nil))
        }
    }

    @Test(
        "a codec that is switched off is unsupported under another format's brand, too",
        arguments: [true, false])
    func disguised(isAVIF: Bool) async throws {
        let file = TestPicture.quarters(64, 48).heif(avif: isAVIF)
        let processor = makeProcessor { $0.formats.remove(isAVIF ? .avif : .heif) }
        for brand in isAVIF ? ["heic", "mif1"] : ["avif"] {
            let claimed = claiming(brand, file)
            #expect(await outcome(of: claimed, processor: processor).error == .unsupportedFormat)
        }
    }

    @Test("a codec that no accepted format has is unsupported", arguments: ["vvc1", "j2k1", "unci"])
    func foreignCodec(type: String) async throws {
        var file = TestPicture.quarters(64, 48).heif()
        let place = try #require(FileSurgery.find("hvc1", in: file))
        file.replaceSubrange(place..<place + 4, with: Array(type.utf8))
        #expect(await outcome(of: file).error == .unsupportedFormat)
    }

    /// The file with one brand in place of all its brands, in a box of the same size.
    private func claiming(_ brand: String, _ file: [UInt8]) -> [UInt8] {
        let size = HEIFSurgery.box("ftyp", in: file).count
        var file = file
        for place in [8] + stride(from: 16, to: size, by: 4) {
            file.replaceSubrange(place..<place + 4, with: Array(brand.utf8))
        }
        return file
    }
}
