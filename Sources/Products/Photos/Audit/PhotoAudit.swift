import Foundation
import Logging
import Metrics
import ObjectStorage
import Postgres
import ServiceLifecycle

/// Compares the bucket with the database in both directions, and both with the promised lifetimes.
///
/// It reads bucket and ledger in parallel, in the order of their keys' bytes, a page of each at a time. Its position is kept
/// in the database, so that an interrupted audit resumes there.
package struct PhotoAudit: Sendable {
    static let prefix = "photos/"

    let store: AuditStore
    let objects: any ObjectStore
    let isBucketOurs: @Sendable () async throws -> Bool
    let isBucketTrusted: @Sendable () async throws -> Bool
    let logger: Logger

    /// - Parameters:
    ///   - name: the kind of audit. Over all instances only one audit of a kind runs at a time.
    ///   - isBucketOurs: whether the bucket belongs to this database. It is called before the audit begins.
    ///   - isBucketTrusted: whether the bucket belongs to this database and has lost nothing that is known. It is called
    ///     before each photo is hidden. An audit of another bucket would delete its objects, but one that has lost a part may
    ///     be searched for orphans.
    package init(
        postgres: PostgresClient, objects: any ObjectStore, name: String = "command",
        isBucketOurs: @escaping @Sendable () async throws -> Bool = { true },
        isBucketTrusted: @escaping @Sendable () async throws -> Bool = { true }, logger: Logger
    ) {
        store = AuditStore(postgres: postgres, name: name)
        self.objects = objects
        self.isBucketOurs = isBucketOurs
        self.isBucketTrusted = isBucketTrusted
        self.logger = logger
    }

    /// Runs to the end, or until cancellation or graceful shutdown. The report says whether the audit is complete.
    ///
    /// - Parameters:
    ///   - resume: whether to resume an interrupted audit, if there is one.
    ///   - pause: the time until the next audit is due; nil if none is scheduled.
    ///   - progress: called after every page.
    /// - Throws: `AuditFailure`, `PostgresError`, `ObjectStoreError`.
    @discardableResult
    package func run(
        _ settings: AuditSettings, resume: Bool = false, nextAfter pause: Duration? = nil,
        progress: (AuditReport) -> Void = { _ in }
    ) async throws -> AuditReport {
        guard try await isBucketOurs() else { throw AuditFailure.unknownBucket }
        let holder = UUID()
        var position = try await store.begin(holder: holder, resume: resume)
        // Whoever lifts the ceiling has looked into the doubt.
        if !settings.mends || settings.hideCeiling == nil { position.report.doubt = nil }
        do {
            var report = try await walk(from: position, settings, holder: holder, progress)
            if report.isComplete {
                if try await isDoubtOver(report, settings) { report.doubt = nil }
                // Orphans that were too young are checked again as soon as they are old enough.
                let soon = settings.orphanAge + .seconds(60)
                let next = pause.map { report.youngOrphans > 0 ? min($0, soon) : $0 }
                try await store.finish(report, holder: holder, nextAfter: next)
                measure(report)
            } else {
                try await store.release(holder: holder)
            }
            return report
        } catch {
            try? await store.release(holder: holder)
            throw error
        }
    }

    private func walk(
        from start: AuditPosition, _ settings: AuditSettings, holder: UUID, _ progress: (AuditReport) -> Void
    ) async throws -> AuditReport {
        let store = store
        var position = start
        let began = ContinuousClock.now
        var savedAt = began
        let pace = AuditPace(requestsPerSecond: settings.requestsPerSecond) {
            try await store.renew(holder: holder)
        }
        let clock = StoreClock(objects, pace: pace)
        if position.lastKey.isEmpty { try await findOverdue(&position.report) }
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let page: AuditPage
            do {
                page = try await AuditPage.read(after: position, from: objects, settings, pace: pace)
            } catch ObjectStoreError.rejected
                where position.continuation == start.continuation
                && start.continuation != nil
            {
                // The store does not accept the continuation any more, so the audit begins again. The photos that it has
                // hidden still count.
                let before = position.report
                position = AuditPosition()
                (position.report.hiddenPhotos, position.report.doubt) = (before.hiddenPhotos, before.doubt)
                try await findOverdue(&position.report)
                continue
            }
            var comparison = PageComparison(
                page: page, audit: self, settings: settings, pace: pace, clock: clock,
                report: position.report)
            try await comparison.run()
            let isNew = comparison.report.counts != position.report.counts
            position.report = comparison.report
            position.report.objects += page.objects.count
            progress(position.report)
            guard let end = page.end else {
                position.report.isComplete = true
                break
            }
            position.lastKey = end
            position.continuation = page.next
            if isNew || savedAt.duration(to: .now) > .seconds(2) {
                savedAt = .now
                try await store.save(position, holder: holder)
            }
        }
        position.report.seconds += began.duration(to: .now) / .seconds(1)
        if !position.report.isComplete { try await store.save(position, holder: holder) }
        return position.report
    }

    /// Whether the last audit's doubt is over: so few photos lack objects now that the next audit may hide them.
    private func isDoubtOver(_ report: AuditReport, _ settings: AuditSettings) async throws -> Bool {
        guard report.doubt != nil, let ceiling = settings.hideCeiling,
            report.count(of: .missingObject) <= ceiling
        else { return false }
        return try await isBucketTrusted()
    }

    private func findOverdue(_ report: inout AuditReport) async throws {
        for (kind, count, first) in try await store.overdue() {
            for subject in first { report.add(AuditFinding(kind: kind, subject: subject)) }
            report.add(kind, count - first.count, unmended: count - first.count)
        }
    }

    func measure(_ report: AuditReport) {
        for kind in AuditFinding.Kind.allCases {
            Gauge(label: "dayly_audit_findings", dimensions: [("kind", kind.rawValue)])
                .record(report.count(of: kind))
        }
        Gauge(label: "dayly_audit_objects").record(report.objects)
        Gauge(label: "dayly_audit_hidden_photos").record(report.hiddenPhotos)
        Gauge(label: "dayly_audit_seconds").record(report.seconds)
    }
}
