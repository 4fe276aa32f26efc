import Foundation
import NIOCore
import NIOHTTP1

/// One version of an object, or a marker of its deletion.
struct ObjectVersion: Sendable, Hashable {
    let key: ObjectKey
    let id: String
    let isMarker: Bool
    /// Whether a reader of the key gets this version.
    let isLatest: Bool
    let size: Int
    let lastModified: Date
}

/// Buckets that keep versions. To delete a key there, the store deletes all of its versions.
extension S3ObjectStore {
    /// The number of keys whose versions the store requests at the same time.
    private static let concurrentKeys = 16

    /// All versions of each key. A deletion that names no versions would only hide the bytes behind a marker.
    func versions(of keys: ArraySlice<ObjectKey>) async throws(ObjectStoreError) -> [ObjectVersion] {
        var versions: [ObjectVersion] = []
        var rest = keys
        while !rest.isEmpty {
            let part = rest.prefix(Self.concurrentKeys)
            rest = rest.dropFirst(part.count)
            let answers = await withTaskGroup(of: Result<[ObjectVersion], ObjectStoreError>.self) { group in
                for key in part {
                    group.addTask { await self.answer(for: key) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for answer in answers { versions += try answer.get() }
        }
        return versions
    }

    private func answer(for key: ObjectKey) async -> Result<[ObjectVersion], ObjectStoreError> {
        do throws(ObjectStoreError) {
            return .success(try await versions(of: key))
        } catch {
            return .failure(error)
        }
    }

    private func versions(of key: ObjectKey) async throws(ObjectStoreError) -> [ObjectVersion] {
        var found: [ObjectVersion] = []
        var marker: VersionMarker?
        repeat {
            let page = try await versionPage(prefix: key.rawValue, after: marker, limit: 1_000)
            found += page.versions.filter { $0.key == key }
            // A key comes before all longer keys that begin with it.
            let isComplete = page.versions.last.map { $0.key != key } ?? false
            marker = isComplete ? nil : page.next
        } while marker != nil
        return found
    }

    /// A page of the keys that have any version, each once. A key whose object is deleted, but whose versions or marker
    /// remain, is marked as hidden.
    func listVersions(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing {
        let marker = continuation.flatMap(VersionMarker.init(token:))
        guard continuation == nil || marker != nil else {
            throw .rejected("the continuation is not one that this store gave out")
        }
        let page = try await versionPage(prefix: prefix, after: marker, limit: limit)
        let versions = page.versions.filter { $0.key.rawValue != marker?.key }
        let latest = Dictionary(grouping: versions, by: \.key).mapValues(Self.object)
        var seen: Set<ObjectKey> = []
        let objects = versions.compactMap { seen.insert($0.key).inserted ? latest[$0.key] : nil }
        return ObjectListing(objects: objects, continuation: page.next?.token)
    }

    private static func object(of versions: [ObjectVersion]) -> ObjectListing.Object {
        let visible = versions.first { $0.isLatest && !$0.isMarker }
        let shown = visible ?? versions.max { $0.lastModified < $1.lastModified } ?? versions[0]
        return ObjectListing.Object(
            key: shown.key, size: shown.size, lastModified: shown.lastModified, isHidden: visible == nil)
    }

    private func versionPage(
        prefix: String, after marker: VersionMarker?, limit: Int
    ) async throws(ObjectStoreError) -> VersionsAnswer {
        var request = request(.GET)
        request.parameters = [
            ("versions", ""), ("prefix", prefix), ("encoding-type", "url"), ("max-keys", String(limit)),
        ]
        if let marker {
            request.parameters.append(("key-marker", marker.key))
            if let id = marker.version { request.parameters.append(("version-id-marker", id)) }
        }
        request.maxResponseBytes = 8 << 20
        let response = try await transport.exchange(request)
        if let failure = S3Failure(response) {
            switch failure.status {
            case 404: throw bucketMissing
            case 405, 501:
                throw .rejected("the object store has no versions", culprit: .versions)
            default: throw failure.error(configuration)
            }
        }
        guard let answer = VersionsAnswer(response.body) else {
            throw .unavailable("the object store's list of versions cannot be read")
        }
        return answer
    }
}

/// The start of the next page of versions.
struct VersionMarker: Sendable, Hashable {
    let key: String
    let version: String?

    init(key: String, version: String?) {
        self.key = key
        self.version = version
    }

    init?(token: String) {
        let parts = token.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = PercentEncoding.decode(parts[0]),
            let version = PercentEncoding.decode(parts[1])
        else { return nil }
        self.init(key: key, version: version.isEmpty ? nil : version)
    }

    var token: String { "\(PercentEncoding.encode(key))&\(PercentEncoding.encode(version ?? ""))" }
}

/// The answer of ListObjectVersions.
struct VersionsAnswer: Sendable {
    let versions: [ObjectVersion]
    let next: VersionMarker?

    init?(_ body: ByteBuffer) {
        guard let xml = XMLTree(body.readableBytesView), xml.name == "ListVersionsResult" else { return nil }
        let isEncoded = xml["EncodingType"]?.lowercased() == "url"
        func decoded(_ text: String) -> String? { isEncoded ? ListingAnswer.decode(text) : text }
        var versions: [ObjectVersion] = []
        for entry in xml.children where entry.name == "Version" || entry.name == "DeleteMarker" {
            guard let key = entry["Key"].flatMap(decoded), let id = entry["VersionId"],
                let date = entry["LastModified"].flatMap(UTCTime.parseISO8601)
            else { return nil }
            versions.append(
                ObjectVersion(
                    key: ObjectKey(listed: key), id: id, isMarker: entry.name == "DeleteMarker",
                    isLatest: entry["IsLatest"] == "true", size: entry["Size"].flatMap { Int($0) } ?? 0,
                    lastModified: date))
        }
        self.versions = versions
        guard xml["IsTruncated"] == "true" else {
            next = nil
            return
        }
        // Without a marker a caller would stop here and believe that it has seen everything.
        guard let key = xml["NextKeyMarker"].flatMap(decoded), !key.isEmpty else { return nil }
        next = VersionMarker(key: key, version: xml["NextVersionIdMarker"])
    }
}
