import DaylyAPI
import Foundation

/// The files of the photo cache. The expiry stands in a file's name, so that forgetting needs to read no picture.
struct PhotoFiles: Sendable {
    struct Name: Hashable, Sendable {
        let photoID: ResourceID
        let size: String
        /// In whole seconds, as the service gives it.
        let expiresAt: Date

        init(_ photo: Photo, _ size: PhotoCache.Size) {
            photoID = photo.id
            self.size = size.rawValue
            expiresAt = photo.expiresAt
        }

        /// Nil for a file that this cache has not finished or does not know.
        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3] == "jpg", let uuid = UUID(uuidString: String(parts[0])),
                let seconds = Int64(parts[2])
            else { return nil }
            photoID = ResourceID(uuid)
            size = String(parts[1])
            expiresAt = Date(timeIntervalSince1970: Double(seconds))
        }

        var text: String { "\(photoID).\(size).\(Int64(expiresAt.timeIntervalSince1970)).jpg" }
    }

    private let folder: URL

    init(_ folder: URL) {
        self.folder = folder
        try? DurableFiles.makeFolder(folder)
        DurableFiles.protect(folder)
    }

    /// When a picture was last added or deleted: the time is later than that, even if the clock was set back.
    var lastChange: Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }

    func names() -> [Name] { contents.compactMap(Name.init) }

    func read(_ name: Name) -> Data? { try? Data(contentsOf: url(name.text)) }

    /// A picture that cannot be kept is fetched again the next time.
    func write(_ data: Data, _ name: Name) {
        let new = url(name.text + ".new")
        do {
            try DurableFiles.write(data, to: new)
            guard rename(new.path, url(name.text).path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: new)
        }
    }

    func remove(_ id: ResourceID) {
        for name in names() where name.photoID == id { delete(name.text) }
    }

    /// Deletes expired pictures, and the remains of writes that a process did not finish.
    func purge(at now: Date) {
        for text in contents {
            let name = Name(text)
            if name.map({ $0.expiresAt <= now }) ?? true { delete(text) }
        }
    }

    func removeAll() {
        for text in contents { delete(text) }
    }

    private var contents: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func delete(_ text: String) {
        try? FileManager.default.removeItem(at: url(text))
    }

    private func url(_ text: String) -> URL { folder.appendingPathComponent(text) }
}
