import DaylyTesting
import Foundation
import HTTPKit
import HTTPTypes
import Synchronization
import Testing

/// A phone of a test: it numbers its events and sends them.
final class TestPhone: Sendable {
    let id: String
    let owner: Person
    private let world: FocusWorld
    private let seq = Mutex(0)

    init(owner: Person, world: FocusWorld, id: String = UUID().uuidString.lowercased()) {
        self.owner = owner
        self.world = world
        self.id = id
    }

    /// The next event: `L` lock, `U` unlock by Android, `S` unlock by Shortcuts, `M` manual unlock, `V` unlock of a verification.
    /// The time is one of 2026-03-02, or a whole timestamp.
    func event(_ kind: Character, _ time: String) -> String {
        let at = time.count > 8 ? time : "2026-03-02T\(time.count == 5 ? time + ":00" : time)Z"
        let (name, source) =
            switch kind {
            case "L": ("lock", "automatic")
            case "U": ("unlock", "automatic")
            case "S": ("unlock", "shortcut")
            case "M": ("unlock", "manual")
            default: ("unlock", "verification")
            }
        return #"{"seq": \#(next()), "kind": "\#(name)", "source": "\#(source)", "at": "\#(at)"}"#
    }

    func usage(_ day: String, _ minutes: Int, final: Bool = false, at: String) -> String {
        """
        {"seq": \(next()), "kind": "usage", "day": "\(day)", "minutes": \(minutes), "final": \(final), "at": "\(at)"}
        """
    }

    func next() -> Int {
        seq.withLock { seq in
            seq += 1
            return seq
        }
    }

    /// Sends events; the phone's clock is right.
    @discardableResult
    func sync(_ events: String..., cursor: String? = nil) async throws -> HTTPAnswer {
        try await send(events, cursor: cursor)
    }

    @discardableResult
    func send(_ events: [String], cursor: String? = nil, clientTime: String? = nil) async throws -> HTTPAnswer
    {
        let time = clientTime ?? WireJSON.timestamp(world.clock.now)
        let cursor = cursor.map { "\"\($0)\"" } ?? "null"
        return try await world.call(
            .post, "sync", as: owner,
            """
            {"device_id": "\(id)", "client_time": "\(time)", "cursor": \(cursor),
            "events": [\(events.joined(separator: ","))]}
            """)
    }

    /// The phone as `GET /devices/{id}` answers it.
    func state() async throws -> HTTPAnswer { try await world.call(.get, "devices/\(id)", as: owner) }

    @discardableResult
    func report(_ members: String) async throws -> HTTPAnswer {
        try await world.call(.put, "devices/\(id)", as: owner, "{\(members)}")
    }
}
