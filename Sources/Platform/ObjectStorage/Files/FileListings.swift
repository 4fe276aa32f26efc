import Foundation
import Synchronization

/// Lists the objects of a folder page by page. It keeps the names that it read for one page for the next pages, so that a
/// listing of n objects reads about n names, not n for each page.
///
/// An object that is stored while the names are kept may be missing from the listing. A deleted object is left out.
final class FileListings: Sendable {
    /// The place at which a listing continues.
    private struct Place: Hashable {
        let prefix: String
        let last: String
    }

    private struct Kept {
        let place: Place
        let window: ListingWindow
        let readAt: ContinuousClock.Instant
    }

    /// The time after which kept names are read again, so that a listing of hours sees new objects.
    private static let lifetime: Duration = .seconds(60)
    /// The number of listings whose names are kept. The listing used least recently loses its names first.
    private static let maxKept = 4

    private let kept = Mutex<[Kept]>([])
    /// The number of names that one listing keeps: about 6 MiB by default.
    private let maxKeys: Int

    init(maxKeys: Int = 65_536) {
        self.maxKeys = maxKeys
    }

    /// The objects whose keys begin with `prefix` and come after `last`, in the order of the keys' bytes.
    func page(of tree: FileTree, prefix: String, after last: String?, limit: Int) throws -> ObjectListing {
        var last = last
        var (window, readAt) = try takeOrRead(tree, prefix, after: last)
        var page: [ObjectListing.Object] = []
        while page.count < limit {
            if let key = window.keys.popFirst() {
                last = key
                if let object = try tree.listed(key) { page.append(object) }
            } else if window.isLast {
                return ObjectListing(objects: page, continuation: nil)
            } else {
                (window, readAt) = try read(tree, prefix, after: last)
            }
        }
        guard let last, !(window.keys.isEmpty && window.isLast) else {
            return ObjectListing(objects: page, continuation: nil)
        }
        keep(Kept(place: Place(prefix: prefix, last: last), window: window, readAt: readAt))
        return ObjectListing(objects: page, continuation: last)
    }

    private func takeOrRead(_ tree: FileTree, _ prefix: String, after last: String?) throws
        -> (ListingWindow, ContinuousClock.Instant)
    {
        guard let last else { return try read(tree, prefix, after: nil) }
        let found = kept.withLock { kept in
            kept.removeAll { $0.readAt < .now - Self.lifetime }
            return kept.firstIndex { $0.place == Place(prefix: prefix, last: last) }.map {
                kept.remove(at: $0)
            }
        }
        guard let found, !found.window.keys.isEmpty else { return try read(tree, prefix, after: last) }
        return (found.window, found.readAt)
    }

    private func read(_ tree: FileTree, _ prefix: String, after last: String?) throws
        -> (ListingWindow, ContinuousClock.Instant)
    {
        let readAt = ContinuousClock.now
        return (try tree.keys(prefix: prefix, after: last, limit: maxKeys), readAt)
    }

    private func keep(_ listing: Kept) {
        kept.withLock { kept in
            if kept.count >= Self.maxKept { kept.removeFirst() }
            kept.append(listing)
        }
    }
}
