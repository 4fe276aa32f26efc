import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEnd {
    /// The SDK's upload queue in a process of its own, which SIGKILL ends at each step of its work.
    ///
    /// `DAYLY_KILLED_UPLOADS=1000` sends so many photos. Otherwise each step has its turn once.
    @Suite("Killed uploads")
    struct UploadQueueKillTests {
        @Test("killed at every step: no photo is lost or doubled, and nothing is left behind")
        func everyStep() async throws {
            let wanted = ProcessInfo.processInfo.environment["DAYLY_KILLED_UPLOADS"].flatMap(Int.init)
            try await Service.run { service in
                var killing = try await Killing(service, groups: wanted == nil ? 2 : 5)
                while try await killing.round() || killing.uploads < wanted ?? 0 {}
                #expect(killing.kills > 20)
                print("\(killing.uploads) uploads, \(killing.kills) kills, \(killing.unqueued) not queued")
            }
        }
    }

    private struct Killing {
        let service: Service
        let groupCount: Int
        let picture: URL
        let folder: URL
        var ada: Person
        var step = 0
        var signIns = 1
        private(set) var uploads = 0
        private(set) var kills = 0
        private(set) var unqueued = 0

        init(_ service: Service, groups: Int) async throws {
            self.service = service
            groupCount = groups
            picture = service.folder.appendingPathComponent("picture.jpg")
            folder = service.folder.appendingPathComponent("uploads")
            try Data(Pictures.jpeg(width: 64, height: 48)).write(to: picture)
            ada = try await Person.signIn("Ada", "+14155550101", to: service)
        }

        /// Sends one picture to new groups, and kills the sender at the next step.
        /// - Returns: whether the process still was at work at that step.
        mutating func round() async throws -> Bool {
            step += 1
            let groups = try await newGroups()
            let names = groups.map(\.description)
            let (status, output) = try await send(killedAt: step, [picture.path] + names)
            let wasKilled = status == -SIGKILL
            #expect(wasKilled || status == 0, "\(output)")
            kills += wasKilled ? 1 : 0
            let wasQueued = output.contains("queued")
            // The next processes are killed too, at other steps.
            for again in [step % 7 + 1, step % 11 + 2] where wasKilled {
                kills += try await send(killedAt: again).0 == -SIGKILL ? 1 : 0
            }
            let (last, rest) = try await send(killedAt: 0)
            #expect(last == 0, "killed at step \(step): \(rest)")
            try await check(groups, wasQueued: wasQueued)
            for group in names { _ = try await ada.delete("/v1/groups/\(group)") }
            if !wasKilled { step = 0 }
            return wasKilled
        }

        /// Every group has the photo once. A picture that was not queued yet is in all groups or in none.
        private mutating func check(_ groups: [ResourceID], wasQueued: Bool) async throws {
            var counts: [Int] = []
            for group in groups { counts.append(try await ada.feed(group).count) }
            let isNowhere = counts.allSatisfy { $0 == 0 }
            #expect(counts.allSatisfy { $0 == 1 } || (isNowhere && !wasQueued), "step \(step): \(counts)")
            uploads += counts.reduce(0, +)
            unqueued += isNowhere ? 1 : 0
            let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
            let known: Set = ["incoming", "queued", "removed", "adding.lock", "sending.lock"]
            #expect(Set(files ?? []).subtracting(known).isEmpty, "step \(step) left files behind")
        }

        private mutating func newGroups() async throws -> [ResourceID] {
            // An access token lives for 15 minutes.
            if uploads / 250 >= signIns {
                signIns += 1
                ada = try await Person.signIn("Ada", "+14155550101", count: signIns, to: service)
            }
            var groups: [ResourceID] = []
            for _ in 0..<groupCount {
                groups.append(try await ada.createGroup("Killed", inviting: ["+14155550102"]).group.id)
            }
            return groups
        }

        private func send(killedAt step: Int, _ rest: [String] = []) async throws -> (Int32, String) {
            let output = service.folder.appendingPathComponent("sender-\(UUID().uuidString.prefix(8)).log")
            let sender = try ChildProcess(
                Programs.find("upload-sender"),
                [service.url, ada.tokens.accessToken, folder.path, String(step)] + rest,
                environment: Programs.environment([:]), output: output)
            let status = try await sender.waitForExit(within: .seconds(60))
            return (status, try String(contentsOf: output, encoding: .utf8))
        }
    }
}
