import DaylyAPI
import Foundation

/// The queue on the disk. It survives the end of the process at every step.
///
///     incoming/<capture>/<item>/   is being written
///     queued/<capture>/<item>/     item.json, photo.jpg
///     removed/<item>/              is being deleted
///
/// A picture for several groups is queued by one rename, for all of them or for none. Each item has a link of its own to
/// the picture, so that an item's end needs to know nothing of the others.
struct UploadFolder: Sendable {
    private let root: URL
    /// The service of the records; others in the folder are left alone. Nil: those of any.
    private let service: String?
    /// Called after each step on the disk. A test ends the process there.
    private let onStep: @Sendable (String) -> Void

    init(_ root: URL, service: String? = nil, onStep: @escaping @Sendable (String) -> Void = { _ in }) {
        self.root = root
        self.service = service
        self.onStep = onStep
    }

    private var incoming: URL { root.appendingPathComponent("incoming") }
    private var queued: URL { root.appendingPathComponent("queued") }
    private var removed: URL { root.appendingPathComponent("removed") }

    private func folder(of item: UploadItem) -> URL {
        queued.appendingPathComponent(item.captureID.uuidString).appendingPathComponent(item.id.uuidString)
    }

    /// Deletes the remains of an earlier process, unless another process is adding items now.
    func open() throws {
        for folder in [root, incoming, queued, removed] { try DurableFiles.makeFolder(folder) }
        DurableFiles.protect(root)
        guard let lock = lock("adding", .exclusive) else { return }
        defer { withExtendedLifetime(lock) {} }
        for folder in [incoming, removed] {
            for remains in try DurableFiles.contents(of: folder) {
                try FileManager.default.removeItem(at: remains)
            }
        }
        for capture in try DurableFiles.contents(of: queued) { rmdir(capture.path) }
        onStep("opened")
    }

    /// Whether there is a queue, be it an empty one.
    var isQueue: Bool { FileManager.default.fileExists(atPath: queued.path) }

    func removeIfEmpty() {
        for folder in [incoming, removed, queued] { rmdir(folder.path) }
    }

    /// Adds the items of one picture. When it returns, they survive the end of the process.
    func add(_ items: [UploadItem], picture: Data) throws {
        guard let capture = items.first?.captureID.uuidString else { return }
        guard let lock = lock("adding", .shared) else { throw CocoaError(.fileLocking) }
        defer { withExtendedLifetime(lock) {} }
        let new = incoming.appendingPathComponent(capture)
        do {
            try write(items, picture, to: new)
            guard rename(new.path, queued.appendingPathComponent(capture).path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
        onStep("renamed into the queue")
        try DurableFiles.synchronize(folder: queued)
        onStep("queued")
    }

    private func write(_ items: [UploadItem], _ picture: Data, to new: URL) throws {
        try DurableFiles.makeFolder(new)
        var first: URL?
        for item in items {
            let folder = new.appendingPathComponent(item.id.uuidString)
            try DurableFiles.makeFolder(folder)
            onStep("made a folder")
            let photo = folder.appendingPathComponent("photo.jpg")
            if let first {
                try FileManager.default.linkItem(at: first, to: photo)
            } else {
                try DurableFiles.write(picture, to: photo)
                first = photo
            }
            onStep("wrote a picture")
            try DurableFiles.write(JSONEncoder().encode(item), to: folder.appendingPathComponent("item.json"))
            try DurableFiles.synchronize(folder: folder)
            onStep("wrote an item")
        }
        try DurableFiles.synchronize(folder: new)
    }

    /// All items, oldest first. A record that does not decode is left out.
    func items() throws -> [UploadItem] {
        try kept().compactMap(\.item)
            .sorted { ($0.addedAt, $0.id.uuidString) < ($1.addedAt, $1.id.uuidString) }
    }

    /// An item's folder, and what its record says.
    struct Kept {
        fileprivate let folder: URL
        /// Nil when the record does not decode.
        var item: UploadItem?
        /// Nil when the record does not tell.
        var owner: ResourceID?
        /// When the item was queued, as far as that is known.
        var since: Date
    }

    /// Everything of this service, or of none that is known, but what the device does not let this process read.
    func kept() throws -> [Kept] {
        try DurableFiles.contents(of: queued).flatMap { (try? DurableFiles.contents(of: $0)) ?? [] }
            .compactMap(kept)
    }

    private func kept(in folder: URL) -> Kept? {
        let data: Data
        do {
            data = try Data(contentsOf: folder.appendingPathComponent("item.json"))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            data = Data()
        } catch {
            return nil
        }
        let label = try? JSONDecoder().decode(Label.self, from: data)
        if let service, let other = label?.service, other != service { return nil }
        var item = try? JSONDecoder().decode(UploadItem.self, from: data)
        // An attempt does not outlive its process.
        if item?.state == .sending { item?.state = .waiting }
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        let since = item?.queuedAt ?? attributes?[.modificationDate] as? Date ?? .distantPast
        return Kept(folder: folder, item: item, owner: label?.owner, since: since)
    }

    /// The members that every version of a record has.
    private struct Label: Decodable {
        var service: String?
        var owner: ResourceID?

        enum CodingKeys: String, CodingKey {
            case service
            case owner = "user_id"
        }
    }

    /// Takes over what a user has queued in the folder that services used to share.
    func adopt(from former: UploadFolder, of user: ResourceID) throws {
        guard let lock = lock("adding", .shared) else { throw CocoaError(.fileLocking) }
        defer { withExtendedLifetime(lock) {} }
        for kept in try former.kept() where kept.owner == user {
            let capture = kept.folder.deletingLastPathComponent()
            let new = queued.appendingPathComponent(capture.lastPathComponent)
            try DurableFiles.makeFolder(new)
            let place = new.appendingPathComponent(kept.folder.lastPathComponent)
            guard rename(kept.folder.path, place.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            try DurableFiles.synchronize(folder: new)
            rmdir(capture.path)
        }
    }

    /// Replaces an item's record. It throws when the item was removed in the meantime.
    func store(_ item: UploadItem) throws {
        let folder = folder(of: item)
        let new = folder.appendingPathComponent("item.json.new")
        try DurableFiles.write(JSONEncoder().encode(item), to: new)
        onStep("wrote a new record")
        guard rename(new.path, folder.appendingPathComponent("item.json").path) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        onStep("renamed the new record")
        try DurableFiles.synchronize(folder: folder)
    }

    /// The file of an item's picture; nil when it was dropped.
    func picture(of item: UploadItem) -> URL? {
        let file = folder(of: item).appendingPathComponent("photo.jpg")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    func dropPicture(of item: UploadItem) throws {
        if let file = picture(of: item) { try FileManager.default.removeItem(at: file) }
        onStep("dropped a picture")
    }

    func contains(_ item: UploadItem) -> Bool {
        FileManager.default.fileExists(atPath: folder(of: item).path)
    }

    /// The item is gone with the rename. The deletion after it may be repeated by the next process.
    func remove(_ item: UploadItem) throws {
        try remove(folder(of: item))
    }

    func remove(_ kept: Kept) throws {
        try remove(kept.folder)
    }

    private func remove(_ folder: URL) throws {
        let old = removed.appendingPathComponent(folder.lastPathComponent)
        guard rename(folder.path, old.path) == 0 || errno == ENOENT else {
            throw CocoaError(.fileWriteUnknown)
        }
        onStep("renamed out of the queue")
        try? FileManager.default.removeItem(at: old)
        onStep("deleted an item")
        rmdir(folder.deletingLastPathComponent().path)
        onStep("deleted a capture")
    }

    /// Held by the process that sends. Nil while another process does.
    func lockForSending() -> FileLock? { lock("sending", .exclusive) }

    private func lock(_ name: String, _ mode: FileLock.Mode) -> FileLock? {
        FileLock(root.appendingPathComponent("\(name).lock"), mode)
    }
}
