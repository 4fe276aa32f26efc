import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEnd {
    /// A hostile image costs its sender a 4xx, and nobody else anything.
    @Suite("Hostile uploads")
    struct HostileUploadTests {
        @Test("whatever is sent is answered by a 4xx, and nobody else notices")
        func files() async throws {
            let settings = ["limits.groups_per_user": "1000", "photos.worker_cpu": "2s"]
            try await Service.run(on: .filesystem, settings) { service in
                let mallory = try await Person.signIn("Mallory", "+14155550101", to: service)
                let ada = try await Person.signIn("Ada", "+14155550102", to: service)
                // One upload of a group's day is decoded at a time.
                var groups: [ResourceID] = []
                for name in ["One", "Two", "Three", "Four"] {
                    groups.append(try await mallory.createGroup(name, inviting: [ada.number]).group.id)
                }
                var files = HostileFiles.all
                files += Damage.of(Pictures.jpeg(width: 320, height: 240), "JPEG")
                files += Damage.of(Pictures.png(width: 120, height: 90), "PNG")
                let heic = try await Pictures.heic(width: 320, height: 240, folder: service.folder)
                files += Damage.of(heic, "HEIC")

                // The first large upload may grow the server once: later ones are compared with it.
                let large = Pictures.png(width: 1900, height: 1700)
                #expect(try await send(large, by: ada).status == 201)
                let before = try Usage(of: service)

                async let others = goodUploads(12, by: ada)
                let refused = files.filter { !$0.mayBeTaken }
                for start in stride(from: 0, to: refused.count, by: groups.count) {
                    await forEach(Array(zip(refused[start...], groups))) { file, group in
                        let reply = try await mallory.send(file.bytes, to: group, key: UUID().uuidString)
                        expect(reply, of: file)
                    }
                }
                for file in files.filter(\.mayBeTaken) {
                    expect(try await send(file.bytes, by: mallory), of: file)
                }
                #expect(try await others.allSatisfy { $0 == 201 }, "somebody else's upload failed")

                for group in groups {
                    let good = try await mallory.send(
                        Pictures.jpeg(width: 640, height: 480), to: group, key: "x")
                    #expect(good.status == 201, "the day was used up: \(good)")
                }
                let after = try Usage(of: service)
                #expect(after.peakMemory - before.peakMemory <= 64 << 20)
                try await eventually("no worker's descriptor") { try Usage(of: service).descriptors == 0 }
                let secret = Array(Pictures.secretText.utf8)
                #expect(try await !service.bucket.contents().contains { $0.contains(secret) })
                #expect(!service.log.contains("internal_error"))
            }
        }

        /// Guard: each picture has a log line; a crash is a warning (`ImageProcessor.log`)
        @Test(
            "a worker that was taken over costs its sender a 422, and the day stays unused")
        func worker() async throws {
            let temporary = try TemporaryFolder()
            defer { withExtendedLifetime(temporary) {} }
            let folder = temporary.url
            let admin = try freePort()
            let settings = [
                "photos.worker_path": try Self.workerOfTwoMinds(in: folder), "photos.worker_cpu": "2s",
                "http.admin_port": String(admin), "log.format": "json",
                "log.level": "info",
            ]
            try await Service.run(on: .filesystem, settings) { service in
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Taken over", inviting: ["+14155550102"]).group.id
                let before = try Usage(of: service)
                let crashing = ["crash", "socket", "exec", "fork", "ptrace", "output", "kill-parent", "open"]
                for attempt in crashing + ["cpu", "sleep", "memory-filled"] {
                    let reply = try await ada.send(
                        Array("hostile single \(attempt)".utf8), to: group, key: attempt)
                    #expect(
                        reply.status == 422 && reply.code == "unreadable_image", "\(attempt): \(reply)")
                }
                #expect(try Usage(of: service).peakMemory - before.peakMemory <= 64 << 20)

                let good = try await ada.send(Pictures.jpeg(width: 640, height: 480), to: group, key: "good")
                #expect(good.status == 201, "\(good)")
                #expect(Set(good.members.keys) == Self.contract, "more than the contract's members")

                let metrics = try await Web.get("http://127.0.0.1:\(admin)/metrics")
                let text = String(decoding: metrics.bytes, as: UTF8.self)
                // "memory-filled" is told no and ends as no worker does.
                #expect(text.contains("\ndayly_photo_worker_crashes_total \(crashing.count + 1)\n"))
                for label in [
                    #"seconds_count{format="unknown",outcome="crashed"} \#(crashing.count + 1)"#,
                    #"seconds_count{format="jpeg",outcome="ok"} 1"#, #"cpu_seconds_count{format="jpeg"} 1"#,
                ] {
                    #expect(text.contains("\ndayly_photo_worker_\(label)\n"), "\(label)")
                }
                for limit in ["cpu_limit", "time_limit"] {
                    let line = #"dayly_photo_worker_seconds_count{format="unknown",outcome="\#(limit)"} 1"#
                    #expect(text.contains("\n\(line)\n"), "\(limit)")
                }
                #expect(text.contains("\ndayly_photo_sandbox 1\n"))
                try Self.expectLines(in: service.log, crashes: crashing.count + 1)
            }
        }

        /// Guard: a missing worker is a 503 (`PhotoError`)
        @Test("a worker that is not there is a 503, and the day stays unused")
        func missing() async throws {
            let temporary = try TemporaryFolder()
            defer { withExtendedLifetime(temporary) {} }
            let worker = temporary.url.appendingPathComponent("photo-worker")
            try FileManager.default.createSymbolicLink(
                at: worker, withDestinationURL: try Programs.find("photo-worker"))
            try await Service.run(on: .filesystem, ["photos.worker_path": worker.path]) { service in
                try FileManager.default.removeItem(at: worker)
                let ada = try await Person.signIn("Ada", "+14155550101", to: service)
                let group = try await ada.createGroup("Missing", inviting: ["+14155550102"]).group.id
                let picture = Pictures.jpeg(width: 64, height: 48)
                for key in ["one", "two"] {
                    let reply = try await ada.send(picture, to: group, key: key)
                    #expect(reply.status == 503 && reply.code == "unavailable", "\(reply)")
                    #expect(reply.headers[.retryAfter] != nil)
                }
            }
        }

        private static let contract: Set = [
            "id", "group_id", "sender_id", "sender_name", "created_at", "expires_at", "width", "height",
            "thumbhash", "url", "thumbnail_url", "url_expires_at",
        ]

        /// A line for each picture: what it was and what it cost, and not a byte of it.
        private static func expectLines(in log: String, crashes: Int) throws {
            let lines = log.split(separator: "\n").filter { $0.contains(#""message":"picture""#) }
            let crashed = lines.filter { $0.contains(#""outcome":"crashed""#) }
            #expect(crashed.count == crashes, "\(log.suffix(2000))")
            #expect(crashed.allSatisfy { $0.contains(#""level":"warning""#) })
            #expect(crashed.contains { $0.contains(#""signal":"11""#) })
            let good = try #require(
                lines.first { $0.contains(#""outcome":"ok""#) && $0.contains(#""jpeg""#) })
            for fact in [#""width":"640""#, #""height":"480""#, #""milliseconds":""#, #""level":"info""#] {
                #expect(good.contains(fact), "\(good)")
            }
            for secret in ["hostile single", "Ada", "4155550101", Pictures.secretText] {
                #expect(!log.contains(secret), "the log has \(secret)")
            }
        }

        /// The real worker, except for files that say they are hostile.
        private static func workerOfTwoMinds(in folder: URL) throws -> String {
            let file = folder.appendingPathComponent("photo-worker")
            let text = """
                #!/bin/sh
                if [ "$(head -c 7 /proc/self/fd/0)" = hostile ]; then exec \(try Programs.find("hostile-worker").path); fi
                exec \(try Programs.find("photo-worker").path) "$@"
                """
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            return file.path
        }

        /// Sends to a group of its own, whose day is unused.
        private func send(_ bytes: [UInt8], by person: Person) async throws -> HTTPAnswer {
            let group = try await person.createGroup("One", inviting: ["+14155550199"]).group.id
            return try await person.send(bytes, to: group, key: "key")
        }

        private func goodUploads(_ count: Int, by person: Person) async throws -> [Int] {
            var statuses: [Int] = []
            for seed in 0..<count {
                let picture = Pictures.jpeg(width: 1600, height: 1200, seed: seed)
                statuses.append(try await send(picture, by: person).status)
            }
            return statuses
        }
    }
}

private func expect(_ reply: HTTPAnswer, of file: HostileFiles.File) {
    if file.mayBeTaken && reply.status == 201 { return }
    #expect([413, 415, 422].contains(reply.status), "\(file): \(reply)")
    #expect(reply.code.map(file.codes.contains) == true, "\(file): \(reply)")
}

/// Files that something has happened to.
private enum Damage {
    static func of(_ file: [UInt8], _ name: String) -> [HostileFiles.File] {
        let cuts = [10, 33, 50, 75, 90, 99].map { file.count * $0 / 100 } + [file.count - 1]
        let truncated = cuts.map {
            HostileFiles.File(
                name: "\(name) cut to \($0)", bytes: Array(file[..<$0]), codes: ["unreadable_image"],
                // All of the picture is there: only the end marker, or the last chunk, is cut.
                mayBeTaken: name != "HEIC" && $0 == file.count - 1)
        }
        let flipped = (1...8).map { step in
            var bytes = file
            bytes[file.count * step / 9] ^= 1 << (step % 8)
            return HostileFiles.File(
                name: "\(name) with bit \(step) flipped", bytes: bytes,
                codes: ["unreadable_image", "unsupported_media_type", "image_too_large"], mayBeTaken: true)
        }
        return truncated + flipped
    }
}

/// Memory and descriptors of the server.
private struct Usage {
    /// In bytes, at most so far.
    let peakMemory: Int
    /// Descriptors that belong to workers.
    let descriptors: Int

    init(of service: Service) throws {
        let id = try #require(service.processID)
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.1)
        peakMemory = (Int(line) ?? 0) * 1024
        let folder = "/proc/\(id)/fd"
        descriptors = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            return ["memfd:", "pidfd", "/status"].contains { target?.contains($0) == true }
        }.count
    }
}
