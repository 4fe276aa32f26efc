import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
import Foundation
import HTTPKit
import Synchronization
import Testing

@testable import Companion

/// A phone of a test: it numbers its events and sends them.
final class CompanionTestPhone: Sendable {
    let id: String
    let owner: Person
    private let world: CompanionSyncWorld
    private let seq = Mutex(0)

    init(owner: Person, world: CompanionSyncWorld, id: String = UUID().uuidString.lowercased()) {
        self.owner = owner
        self.world = world
        self.id = id
    }

    func next() -> Int {
        seq.withLock { seq in
            seq += 1
            return seq
        }
    }

    /// The next event. The time is right by the phone's clock.
    func event(_ kind: String, at instant: Instant) -> String {
        #"{"seq": \#(next()), "kind": "\#(kind)", "at": "\#(isoText(instant: instant))"}"#
    }

    func usage(_ day: String, _ minutes: Int, final: Bool = false, at instant: Instant) -> String {
        """
        {"seq": \(next()), "kind": "usage", "day": "\(day)", "minutes": \(minutes), "final": \(final),
        "at": "\(isoText(instant: instant))"}
        """
    }

    @discardableResult
    func send(_ events: [String], clientTime: String? = nil) async throws -> HTTPAnswer {
        let time = clientTime ?? WireJSON.timestamp(world.clock.now)
        return try await world.call(
            .post, "sync", as: owner,
            """
            {"device_id": "\(id)", "client_time": "\(time)", "events": [\(events.joined(separator: ","))]}
            """)
    }

    /// Sends events that the service must take.
    @discardableResult
    func sync(_ events: String...) async throws -> CompanionSyncAnswer {
        let answer = try await send(events)
        #expect(answer.status == 200, "\(answer)")
        return try answer.decode()
    }

    /// An event at this instant, sent at once.
    ///
    /// - Returns: the reason of its rejection, or `accepted`.
    @discardableResult
    func report(_ kind: String, at instant: Instant) async throws -> String {
        if world.clock.now < Date(instant: instant) { try await world.set(instant) }
        return try await sync(event(kind, at: instant)).rejected.first?.reason ?? "accepted"
    }
}
