import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEndDamage {
    /// The SDK's upload queue in a process of its own, which SIGKILL ends at each step of its work.
    ///
    /// With `KILLED_UPLOADS=1000` it sends so many photos. Otherwise each step has its turn once.
    @Suite("Killed uploads")
    struct UploadQueueKillTests {
        /// Guard: a picture for several groups is queued by one rename; a record is replaced by a rename
        /// (`UploadFolder.add`, `.store`)
        /// Guard: an item leaves the queue by a rename, and the next process deletes the rest
        /// (`UploadFolder.remove`, `.open`)
        @Test("killed at every step: no photo is lost or doubled, and nothing is left behind")
        func everyStep() async throws {
            let wanted = ProcessInfo.processInfo.environment["KILLED_UPLOADS"].flatMap(Int.init) ?? 0
            try await Service.run { service in
                // Four phones share the steps, because most of the time is spent waiting.
                let phones = 4
                let counts = try await atOnce(phones) { phone in
                    var killing = try await Killing(service, phone: phone, groups: wanted == 0 ? 2 : 5)
                    var step = phone + 1
                    while killing.counts.uploads < wanted / phones || step > 0 {
                        let wasKilled = try await killing.round(killedAt: max(step, phone + 1))
                        step = wasKilled ? max(step, phone + 1) + phones : 0
                    }
                    return killing.counts
                }
                #expect(counts.map(\.kills).reduce(0, +) > 20)
                print("kills of queue-sender: \(counts)")
            }
        }
    }

    private struct Killing {
        let service: Service
        let groupCount: Int
        let picture: URL
        let folder: URL
        let number: String
        var ada: Person
        var signIns = 1
        private(set) var counts = Counts()

        struct Counts: Sendable, CustomStringConvertible {
            var uploads = 0
            var kills = 0
            /// Rounds that were killed before the picture was in the queue.
            var unqueued = 0

            var description: String { "\(uploads) uploads, \(kills) kills, \(unqueued) not queued" }
        }

        init(_ service: Service, phone: Int, groups: Int) async throws {
            self.service = service
            groupCount = groups
            picture = service.folder.appendingPathComponent("picture-\(phone).jpg")
            folder = service.folder.appendingPathComponent("uploads-\(phone)")
            number = "+1415555010\(phone + 1)"
            try Data(Pictures.jpeg(width: 64, height: 48)).write(to: picture)
            ada = try await Person.signIn("Ada", number, to: service)
        }

        /// Sends one picture to new groups, and kills the sender at a step.
        /// - Returns: whether the process still was at work at that step.
        mutating func round(killedAt step: Int) async throws -> Bool {
            let groups = try await newGroups()
            let names = groups.map(\.description)
            let (status, output) = try await send(killedAt: step, [picture.path] + names)
            let wasKilled = status == -SIGKILL
            #expect(wasKilled || status == 0, "\(output)")
            counts.kills += wasKilled ? 1 : 0
            let wasQueued = output.contains("queued")
            // The next process is killed too, at another step.
            if wasKilled {
                counts.kills += try await send(killedAt: step % 11 + 1).0 == -SIGKILL ? 1 : 0
            }
            let (last, rest) = try await send(killedAt: 0)
            #expect(last == 0, "killed at step \(step): \(rest)")
            try await check(groups, step, wasQueued: wasQueued)
            for group in names { _ = try await ada.delete("/v1/groups/\(group)") }
            return wasKilled
        }

        /// Every group has the photo once. A picture that was not queued yet is in all groups or in none.
        private mutating func check(_ groups: [ResourceID], _ step: Int, wasQueued: Bool) async throws {
            var photos: [Int] = []
            for group in groups { photos.append(try await ada.feed(group).count) }
            let isNowhere = photos.allSatisfy { $0 == 0 }
            #expect(photos.allSatisfy { $0 == 1 } || (isNowhere && !wasQueued), "step \(step): \(photos)")
            counts.uploads += photos.reduce(0, +)
            counts.unqueued += isNowhere ? 1 : 0
            let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
            let known: Set = ["incoming", "queued", "removed", "adding.lock", "sending.lock"]
            #expect(Set(files ?? []).subtracting(known).isEmpty, "step \(step) left files behind")
        }

        private mutating func newGroups() async throws -> [ResourceID] {
            // An access token lives for 15 minutes.
            if counts.uploads / 100 >= signIns {
                signIns += 1
                ada = try await Person.signIn("Ada", number, count: signIns, to: service)
            }
            var groups: [ResourceID] = []
            for _ in 0..<groupCount {
                groups.append(try await ada.createGroup("Killed", inviting: ["+14155550109"]).group.id)
            }
            return groups
        }

        private func send(killedAt step: Int, _ rest: [String] = []) async throws -> (Int32, String) {
            let output = service.folder.appendingPathComponent("sender-\(UUID().uuidString.prefix(8)).log")
            let sender = try ChildProcess(
                Programs.find("queue-sender"),
                [service.url, ada.tokens.accessToken, folder.path, String(step)] + rest,
                environment: Programs.environment([:]), output: output)
            let status = try await sender.waitForExit(within: .seconds(60))
            return (status, try String(contentsOf: output, encoding: .utf8))
        }
    }
}
