import DaylyTesting
import Foundation
import Settings
import Testing

@testable import DaylyServer

@Suite("What pictures may cost")
struct WorkerSettingTests {
    private func configuration(_ more: [String: String]) async throws -> ServerConfiguration {
        try ServerConfiguration.load(
            environment: Fixture.development(in: try TemporaryFolder(), more), file: nil)
    }

    @Test("by default every format is read, the sandbox is required, and a picture has 6 s, 15 s and 1 GiB")
    func defaults() async throws {
        let decoder = try await configuration([:]).decoder
        #expect(decoder.formats == [.jpeg, .png, .heif, .avif, .webp])
        #expect(decoder.sandbox == .required)
        #expect(decoder.cpuSeconds == 6 && decoder.wallClock == .seconds(15))
        #expect(decoder.memoryBytes == 1 << 30 && decoder.queueSize == 64)
    }

    @Test("what a deployment may choose can be set, and more CPU time gives a picture more time")
    func given() async throws {
        let decoder = try await configuration([
            "DAYLY_PHOTOS_FORMATS": "png, jpeg", "DAYLY_PHOTOS_SANDBOX": "optional",
            "DAYLY_PHOTOS_WORKER_CPU": "20s", "DAYLY_PHOTOS_QUEUE_SIZE": "0",
        ]).decoder
        #expect(decoder.formats == [.jpeg, .png])
        #expect(decoder.sandbox == .optional)
        #expect(decoder.cpuSeconds == 20 && decoder.wallClock == .seconds(50))
        #expect(decoder.queueSize == 0)
    }

    @Test(
        "values that make no sense are refused",
        arguments: [
            ("DAYLY_PHOTOS_FORMATS", "jpeg,gif", "photos.formats"),
            ("DAYLY_PHOTOS_FORMATS", ",", "photos.formats"),
            ("DAYLY_PHOTOS_SANDBOX", "off", "photos.sandbox"),
            ("DAYLY_PHOTOS_WORKER_CPU", "1500ms", "photos.worker_cpu"),
            ("DAYLY_PHOTOS_QUEUE_SIZE", "-1", "photos.queue_size"),
        ])
    func refused(_ variable: String, _ value: String, _ key: String) async throws {
        let error = await #expect(throws: ConfigurationProblems.self) {
            _ = try await configuration([variable: value])
        }
        #expect(error?.problems.map(\.key) == [key])
    }
}

/// The real commands where the kernel allows no system call filter.
/// Guard: nothing runs without a required sandbox (`ImageProcessor.run`)
@Suite("serve and doctor where the sandbox is refused")
struct SandboxRefusalTests {
    private func withRefusal(
        _ more: [String: String], _ body: (TemporaryFolder, [String: String]) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let products = TestProducts.folder
        let worker = try folder.write(
            "photo-worker",
            """
            #!/bin/sh
            exec \(products.path)/hostile-worker refuse \(products.path)/photo-worker "$@"
            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        try await withTestDatabase { database in
            let environment = Fixture.development(
                in: folder, database: database.url,
                [
                    "DAYLY_PHOTOS_WORKER_PATH": worker, "DAYLY_HTTP_PORT": "\(try freePort())",
                    "DAYLY_HTTP_ADMIN_PORT": "0",
                ].merging(more) { _, new in new })
            try await body(folder, environment)
        }
    }

    /// Guard: `serve` does not start without a required sandbox (`ServeAction.requireWorker`)
    @Test("required: serve does not start, doctor finds it, and both say what mends it")
    func required() async throws {
        try await withRefusal([:]) { _, environment in
            let serve = try await Command(arguments: ["serve"], environment: environment).run()
            #expect(serve.status == 1)
            #expect(serve.errors.contains("seccomp"))
            #expect(serve.errors.contains("DAYLY_PHOTOS_SANDBOX"))
            let doctor = try await Command(arguments: ["doctor"], environment: environment).run()
            #expect(doctor.status == 3)
            #expect(doctor.output.contains("PROBLEM  photo-worker"))
            #expect(doctor.output.contains("DAYLY_PHOTOS_SANDBOX"))
        }
    }

    @Test("optional: serve starts, and the log, the metrics and doctor say what is missing")
    func optional() async throws {
        let admin = try freePort()
        let more = ["DAYLY_PHOTOS_SANDBOX": "optional", "DAYLY_HTTP_ADMIN_PORT": "\(admin)"]
        try await withRefusal(more) { folder, environment in
            let server = try await RunningServer(environment: environment, folder: folder)
            let metrics = try await server.metrics(port: admin)
            #expect(metrics.contains("\ndayly_photo_sandbox 0\n"))
            #expect(metrics.contains("\ndayly_photo_worker_crashes_total 0\n"))
            #expect(server.logged.contains("the kernel refuses the system call filter"))
            server.terminate()
            #expect(await server.exitStatus() == 0)
            let doctor = try await Command(arguments: ["doctor"], environment: environment).run()
            #expect(doctor.status == 0)
            #expect(doctor.output.contains("WITHOUT its system call filter"))
        }
    }
}
