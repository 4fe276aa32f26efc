import Foundation
import ObjectStorage

/// Compares one page of the bucket with the same range of the ledger.
struct PageComparison {
    let page: AuditPage
    let audit: PhotoAudit
    let settings: AuditSettings
    let pace: AuditPace
    let clock: StoreClock
    var report: AuditReport

    private var unknown: [ObjectListing.Object] = []
    private var missing: [LedgerEntry] = []

    init(
        page: AuditPage, audit: PhotoAudit, settings: AuditSettings, pace: AuditPace, clock: StoreClock,
        report: AuditReport
    ) {
        self.page = page
        self.audit = audit
        self.settings = settings
        self.pace = pace
        self.clock = clock
        self.report = report
    }

    mutating func run() async throws {
        var objects = page.objects[...]
        var position = page.start
        while true {
            let entries = try await audit.store.ledger(
                after: position, through: page.end, limit: settings.pageSize)
            for entry in entries { try await compare(entry, among: &objects) }
            try await lookAgainForMissing()
            guard entries.count == settings.pageSize, let last = entries.last else { break }
            position = last.key
        }
        unknown += objects
        try await judgeUnknown()
    }

    private mutating func compare(
        _ entry: LedgerEntry, among objects: inout ArraySlice<ObjectListing.Object>
    ) async throws {
        while let object = objects.first, object.key.rawValue.bytesPrecede(entry.key) {
            unknown.append(object)
            objects.removeFirst()
        }
        if entry.isOverdue { report.add(AuditFinding(kind: .overdueObject, subject: entry.key)) }
        guard let object = objects.first, !entry.key.bytesPrecede(object.key.rawValue) else {
            if entry.isAlive { try await noteMissing(entry) }
            return
        }
        objects.removeFirst()
        // Only hidden versions are left of the object of a visible photo.
        if object.isHidden, entry.isAlive { return try await noteMissing(entry) }
        // An object is written before its photo is accepted, and may exist for five minutes after the photo's end.
        let limit = settings.lifetime + .seconds(360)
        if !entry.isOverdue, let age = try await clock.age(of: object), age > limit {
            report.add(AuditFinding(kind: .overstayedObject, subject: entry.key))
        }
    }

    // MARK: - Rows without objects

    /// Notes an object that the listing does not have, unless it was written or deleted since.
    private mutating func noteMissing(_ entry: LedgerEntry) async throws {
        if try await isGone(entry) { missing.append(entry) }
    }

    /// Looks a second time for the objects that seem to be lost. It waits once for all of them, because a store that has
    /// lost its disk misses every object.
    private mutating func lookAgainForMissing() async throws {
        guard !missing.isEmpty else { return }
        try await Task.sleep(for: settings.secondLookAfter)
        for entry in missing {
            // The photo's other object does not belong to a visible photo any more once the photo is hidden, so it
            // causes no further finding.
            guard try await isGone(entry) else { continue }
            var finding = AuditFinding(kind: .missingObject, subject: entry.key)
            if try await mayHide() {
                finding.mended = try await audit.store.hide(entry.key)
                if finding.mended { report.hiddenPhotos += 1 }
            }
            report.add(finding)
        }
        missing = []
    }

    /// Whether a visible photo has lost this object.
    private func isGone(_ entry: LedgerEntry) async throws -> Bool {
        let key = try ObjectKey(entry.key)
        try await pace.waitForRequest()
        guard try await audit.objects.head(key) == nil else { return false }
        return try await audit.store.isAlive(entry.key)
    }

    /// If the store has lost its disk, or is another one, every photo seems to be lost. Then none is hidden.
    private mutating func mayHide() async throws -> Bool {
        guard settings.mends, report.doubt == nil else { return false }
        if let ceiling = settings.hideCeiling, report.hiddenPhotos >= ceiling {
            report.doubt = "more than \(ceiling) photos have no objects"
        } else if try await !audit.isBucketTrusted() {
            report.doubt = "the bucket has lost the journal of this database, or a part of it"
        }
        return report.doubt == nil
    }

    // MARK: - Objects without rows

    private mutating func judgeUnknown() async throws {
        guard !unknown.isEmpty else { return }
        let valid = unknown.filter { ObjectKey(rawValue: $0.key.rawValue) != nil }
        let sightings = try await audit.store.recordSightings(valid.map(\.key.rawValue))
        var orphans: [ObjectKey] = []
        for object in unknown {
            let knownFor = sightings[object.key.rawValue]
            let isNamedByUs = ObjectKey(rawValue: object.key.rawValue) != nil
            // The object has a row by now.
            if isNamedByUs, knownFor == nil { continue }
            // The object's age by the store's clock suffices. If the store has no clock, or a wrong one, the time since we
            // first saw the object counts.
            let age = max(try await clock.age(of: object) ?? .zero, knownFor ?? .zero)
            if age > settings.orphanAge { orphans.append(object.key) } else { report.youngOrphans += 1 }
        }
        guard !orphans.isEmpty else { return }
        try await mend(try await stillListed(orphans))
    }

    /// The objects that no sweeper has deleted, together with their rows, since the page was read.
    private func stillListed(_ keys: [ObjectKey]) async throws -> [ObjectKey] {
        try await pace.waitForRequest()
        let now = try await audit.objects.list(
            prefix: PhotoAudit.prefix, continuation: page.continuation, limit: settings.pageSize)
        let listed = Set(now.objects.map(\.key))
        return keys.filter(listed.contains)
    }

    private mutating func mend(_ orphans: [ObjectKey]) async throws {
        guard settings.mends else {
            for key in orphans { report.add(AuditFinding(kind: .orphanObject, subject: key.rawValue)) }
            return
        }
        let ours = orphans.filter { ObjectKey(rawValue: $0.rawValue) != nil }
        let adopted = try await audit.store.adopt(ours.map(\.rawValue), olderThan: settings.orphanAge)
        for key in ours where adopted.contains(key.rawValue) {
            report.add(AuditFinding(kind: .orphanObject, subject: key.rawValue, mended: true))
        }
        // No row can have these names, so the sweeper cannot delete these objects.
        let foreign = orphans.filter { ObjectKey(rawValue: $0.rawValue) == nil }
        guard !foreign.isEmpty else { return }
        let kept = try await audit.objects.delete(foreign)
        for key in foreign {
            report.add(
                AuditFinding(kind: .orphanObject, subject: key.rawValue, mended: kept[key] == nil))
        }
    }
}
