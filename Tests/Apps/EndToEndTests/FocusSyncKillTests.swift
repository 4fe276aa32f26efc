import DaylyAPI
import DaylyTesting
import Foundation
import Testing

extension EndToEndDamage {
    /// The SDK's queue of a phone's events in a process of its own, which SIGKILL ends at each step of its work.
    /// Guard: an event's number is given once, and the acknowledged number is kept before its events are
    /// deleted (`PhoneSyncFolder.add`, `.acknowledge`)
    @Suite("Killed syncs of Focus")
    struct FocusSyncKillTests {
        @Test("killed at every step: the service has each recorded event once, and nothing is left behind")
        func everyStep() async throws {
            try await Service.run { service in
                var phone = try await KilledPhone(service)
                var step = 1
                while try await phone.round(killedAt: step) { step += 1 }
                #expect(phone.kills > 20)
                print("\(phone.events.count) events, \(phone.kills) kills, \(phone.unrecorded) not recorded")
            }
        }
    }

    /// A phone whose process is killed, and another one of the same user, which the service tells of its events.
    private struct KilledPhone {
        let service: Service
        let folder: URL
        let ada: Person
        let witness = UUID()
        private var cursor: String?
        /// The minutes that each event reports, by number, as the service has them.
        private(set) var events: [Int: Int] = [:]
        private(set) var kills = 0
        /// Events that were killed before they were on the disk.
        private(set) var unrecorded = 0
        private var nextMinutes = 0

        struct Event: Decodable, Equatable {
            let seq: Int
            let minutes: Int
        }

        init(_ service: Service) async throws {
            self.service = service
            folder = service.folder.appendingPathComponent("focus")
            ada = try await Person.signIn("Ada", "+14155550101", to: service)
            try await put("/v1/focus/profile", #"{"consent":"1"}"#)
            try await put("/v1/focus/devices/\(witness)", #"{"platform":"ios"}"#)
        }

        private func put(_ path: String, _ body: String) async throws {
            let reply = try await Web.send(
                "PUT", service.url + path,
                headers: [
                    "Content-Type": "application/json",
                    "Authorization": "Bearer \(ada.tokens.accessToken)",
                ], body: [UInt8](body.utf8))
            try #require(reply.status == 200, "\(reply)")
        }

        /// Records three events and sends them, and kills the phone at a step.
        /// - Returns: whether the process still was at work at that step.
        mutating func round(killedAt step: Int) async throws -> Bool {
            let minutes = (0..<3).map { (nextMinutes + $0) % 1_441 }
            nextMinutes += 3
            let (status, output) = try await run(killedAt: step, minutes)
            let wasKilled = status == -SIGKILL
            #expect(wasKilled || status == 0, "\(output)")
            kills += wasKilled ? 1 : 0
            // The next process is killed too, at another step.
            if wasKilled { kills += try await run(killedAt: step % 11 + 1).0 == -SIGKILL ? 1 : 0 }
            let (last, rest) = try await run(killedAt: 0)
            #expect(last == 0, "killed at step \(step): \(rest)")
            try await check(minutes, recorded: output, step)
            return wasKilled
        }

        /// Each event that the process called recorded is there once, and nothing else but the event in progress.
        private mutating func check(_ minutes: [Int], recorded output: String, _ step: Int) async throws {
            let recorded = output.matches(of: #/recorded (\d+) (\d+)\n/#).compactMap { match in
                Int(match.1).flatMap { seq in Int(match.2).map { Event(seq: seq, minutes: $0) } }
            }
            let new = try await newEvents()
            for event in recorded {
                #expect(new.filter { $0.seq == event.seq } == [event], "step \(step): \(new)")
            }
            #expect(new.map(\.minutes) == Array(minutes.prefix(new.count)), "step \(step)")
            #expect((recorded.count...recorded.count + 1).contains(new.count), "step \(step)")
            unrecorded += minutes.count - new.count
            for event in new {
                let earlier = events.updateValue(event.minutes, forKey: event.seq)
                #expect(earlier == nil, "\(event.seq) came twice")
            }
            let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
            let known: Set = ["incoming", "events", "phone.json", "writing.lock", "syncing.lock"]
            #expect(Set(files ?? []).subtracting(known).isEmpty, "step \(step) left files behind")
        }

        /// The events that the service has taken since the last call, in its order.
        private mutating func newEvents() async throws -> [Event] {
            struct Sync: Encodable {
                let device_id: UUID
                let client_time: String
                let events: [Int]
                let cursor: String?
            }
            struct Answer: Decodable {
                let others: [Event]
                let cursor: String
                let has_more: Bool
            }
            let now = Date().formatted(.iso8601)
            let sync = Sync(device_id: witness, client_time: now, events: [], cursor: cursor)
            let reply = try await ada.post("/v1/focus/sync", sync)
            try #require(reply.status == 200, "\(reply)")
            let answer = try JSONDecoder().decode(Answer.self, from: Data(reply.bytes))
            #expect(!answer.has_more)
            cursor = answer.cursor
            return answer.others
        }

        private func run(killedAt step: Int, _ minutes: [Int] = []) async throws -> (Int32, String) {
            let output = service.folder.appendingPathComponent("phone-\(UUID().uuidString.prefix(8)).log")
            let phone = try ChildProcess(
                Programs.find("queue-sender"),
                [service.url, ada.tokens.accessToken, folder.path, String(step), "focus"]
                    + minutes.map(String.init),
                environment: Programs.environment([:]), output: output)
            let status = try await phone.waitForExit(within: .seconds(60))
            return (status, try String(contentsOf: output, encoding: .utf8))
        }
    }
}
