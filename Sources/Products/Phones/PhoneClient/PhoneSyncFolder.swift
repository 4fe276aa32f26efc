import DaylyClient
import DaylyAPI
import Foundation

/// A phone's events on the disk. They survive the end of the process at every step.
///
///     phone.json                       the phone's id, and how far the service knows its events
///     incoming/<id>                    is being written
///     events/0000000000000042.json     event number 42
///
/// A number is given once: it is greater than those of all events here and of all that were acknowledged.
struct PhoneSyncFolder<Event: PhoneEvent>: Sendable {
    private let root: URL
    /// Called after each step on the disk. A test ends the process there.
    private let onStep: @Sendable (String) -> Void

    init(_ root: URL, onStep: @escaping @Sendable (String) -> Void = { _ in }) {
        self.root = root
        self.onStep = onStep
    }

    private var incoming: URL { root.appendingPathComponent("incoming") }
    private var events: URL { root.appendingPathComponent("events") }
    private var record: URL { root.appendingPathComponent("phone.json") }

    /// Deletes the remains of an earlier process.
    func open() throws {
        for folder in [root, incoming, events] { try DurableFiles.makeFolder(folder) }
        DurableFiles.protect(root)
        try locked {
            for remains in try DurableFiles.contents(of: incoming) {
                try FileManager.default.removeItem(at: remains)
            }
            if let phone = try phone() { try forget(upTo: phone.acknowledged) }
        }
        onStep("opened")
    }

    // MARK: The phone

    /// Nil before the first event, and before anybody asked for the phone's id.
    func phone() throws -> PhoneRecord? {
        do {
            return try JSONDecoder().decode(PhoneRecord.self, from: Data(contentsOf: record))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        }
    }

    /// The user's phone, which is made when there is none.
    func phone(of user: ResourceID) throws -> PhoneRecord {
        try locked { try knownPhone(of: user) }
    }

    private func knownPhone(of user: ResourceID) throws -> PhoneRecord {
        if let phone = try phone(), phone.userID == user { return phone }
        // The events of another user are what a sign-out that was cut off has left.
        try removeAll()
        let new = PhoneRecord(deviceID: ResourceID(UUID()), userID: user)
        try store(new)
        return new
    }

    /// Changes the phone's record; nothing without one.
    func update(_ change: (inout PhoneRecord) -> Void) throws {
        try locked {
            guard var phone = try phone() else { return }
            change(&phone)
            try store(phone)
        }
    }

    private func store(_ phone: PhoneRecord) throws {
        let new = incoming.appendingPathComponent("phone.json")
        try DurableFiles.write(JSONEncoder().encode(phone), to: new)
        onStep("wrote the phone")
        try move(new, to: record)
        try DurableFiles.synchronize(folder: root)
        onStep("stored the phone")
    }

    // MARK: Events

    /// Gives an event its number. When it returns, the event survives the end of the process.
    func add(_ event: Event, at: Date, uptime: PhoneUptime?, of user: ResourceID) throws -> Int {
        try locked {
            let phone = try knownPhone(of: user)
            let seq = max(phone.acknowledged, try numbers().last ?? 0) + 1
            let new = incoming.appendingPathComponent("event.json")
            let message = event.message(seq: seq, at: at, uptime: uptime)
            try DurableFiles.write(ClientJSON.encode(message), to: new)
            onStep("wrote an event")
            try move(new, to: file(seq))
            onStep("renamed an event")
            try DurableFiles.synchronize(folder: events)
            onStep("recorded an event")
            return seq
        }
    }

    /// The oldest events, by number. One that does not decode is left out; one that cannot be read is an error, because
    /// the acknowledgement of a later one would delete it.
    func oldest(_ count: Int) throws -> [Event.Message] {
        try numbers().prefix(count).compactMap { number in
            let data: Data
            do {
                data = try Data(contentsOf: file(number))
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                return nil
            }
            return try? ClientJSON.decode(Event.Message.self, from: data)
        }
    }

    func count() throws -> Int { try numbers().count }

    /// Keeps the number of the last event that the service knows, and deletes the events up to it. The number comes first:
    /// without it and without the events their numbers would be given again.
    func acknowledge(_ seq: Int) throws {
        try locked {
            guard var phone = try phone() else { return }
            if seq > phone.acknowledged {
                phone.acknowledged = seq
                try store(phone)
            }
            try forget(upTo: phone.acknowledged)
        }
    }

    private func forget(upTo seq: Int) throws {
        for number in try numbers().prefix(while: { $0 <= seq }) {
            try FileManager.default.removeItem(at: file(number))
            onStep("deleted an event")
        }
    }

    /// Deletes everything, the phone's record last: as long as it is there, it says whose the events are.
    func clear() throws {
        try locked { try removeAll() }
    }

    /// Deletes everything, unless it is another user's.
    func clear(of user: ResourceID) throws {
        try locked {
            do {
                if let phone = try phone(), phone.userID != user { return }
            } catch is DecodingError {
                // A record that cannot be read as one has no owner.
            }
            try removeAll()
        }
    }

    private func removeAll() throws {
        for file in try DurableFiles.contents(of: events) { try FileManager.default.removeItem(at: file) }
        onStep("deleted all events")
        guard unlink(record.path) == 0 || errno == ENOENT else { throw CocoaError(.fileWriteUnknown) }
    }

    private func numbers() throws -> [Int] {
        try DurableFiles.contents(of: events)
            .compactMap { Int($0.deletingPathExtension().lastPathComponent) }.sorted()
    }

    private func file(_ seq: Int) -> URL {
        let digits = String(seq)
        let zeros = String(repeating: "0", count: max(0, 16 - digits.count))
        return events.appendingPathComponent("\(zeros)\(digits).json")
    }

    private func move(_ file: URL, to new: URL) throws {
        guard rename(file.path, new.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    // MARK: Locks

    /// Held by the process that syncs. Nil while another process does.
    func lockForSyncing() -> FileLock? {
        FileLock(root.appendingPathComponent("syncing.lock"), .exclusive)
    }

    /// Numbers are given by one process at a time, an app or its extension. The disk alone takes time here.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        guard let lock = FileLock(root.appendingPathComponent("writing.lock"), .waiting) else {
            throw CocoaError(.fileLocking)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
