/// A difference between bucket and database, or a deletion that is late.
package struct AuditFinding: Sendable, Codable, Equatable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// An object without a row.
        case orphanObject = "orphan_object"
        /// A visible photo without one of its objects.
        case missingObject = "missing_object"
        /// An object that was due more than five minutes ago.
        case overdueObject = "overdue_object"
        /// An object that is older than a photo's lifetime plus six minutes, although its row is not overdue.
        case overstayedObject = "overstayed_object"
        /// A photo's row that expired more than five minutes ago.
        case overduePhoto = "overdue_photo"
        /// An upload whose lease expired more than five minutes ago.
        case overdueUpload = "overdue_upload"
    }

    package let kind: Kind
    /// The object's key, or the photo's id.
    package let subject: String
    /// Whether this audit mended it: the sweeper will delete the orphan, or the photo without its object is hidden.
    package var mended = false
}

/// The result of an audit. Its size is bounded, whatever the number of findings.
package struct AuditReport: Sendable, Codable, Equatable {
    /// The largest number of findings of one kind that are listed.
    static let maxFindings = 100

    /// The number of objects under `photos/`.
    package var objects = 0
    /// The number of findings of each kind.
    package private(set) var counts: [String: Int] = [:]
    /// The number of findings that were not mended.
    package private(set) var unmended = 0
    /// The first findings of each kind.
    package private(set) var findings: [AuditFinding] = []
    /// The number of photos that were hidden because one of their objects is lost.
    var hiddenPhotos = 0
    /// Objects without a row that are too young to be orphans.
    package var youngOrphans = 0
    /// Why photos were not hidden although their objects seem to be lost: the store is not trusted.
    package var doubt: String?
    /// Whether the audit has examined everything.
    package var isComplete = false
    /// The duration, without the time between an interruption and its resumption.
    package var seconds = 0.0

    package init() {}

    package func count(of kind: AuditFinding.Kind) -> Int { counts[kind.rawValue] ?? 0 }

    mutating func add(_ finding: AuditFinding) {
        add(finding.kind, 1, unmended: finding.mended ? 0 : 1)
        if findings.count(where: { $0.kind == finding.kind }) < Self.maxFindings { findings.append(finding) }
    }

    /// Adds findings that are counted but not listed.
    mutating func add(_ kind: AuditFinding.Kind, _ count: Int, unmended: Int) {
        guard count > 0 else { return }
        counts[kind.rawValue, default: 0] += count
        self.unmended += unmended
    }
}

/// The limits and times of an audit.
package struct AuditSettings: Sendable {
    /// How long a photo is visible.
    package var lifetime: Duration
    /// Whether the audit mends its findings or only reports them.
    package var mends = false
    /// The number of photos that one audit may hide. If more have lost their objects, the store is not trusted. Nil for no
    /// limit.
    package var hideCeiling: Int? = 20
    /// The rate of requests to the object store; nil for no limit.
    package var requestsPerSecond: Int?
    /// The age from which an object without a row is an orphan: longer than any upload takes.
    var orphanAge: Duration = .seconds(600)
    /// The number of objects, and of rows, that are held in memory at a time.
    package var pageSize = 1_000
    /// The time between two checks for an object that seems to be lost: some stores show a new object a moment late.
    var secondLookAfter: Duration = .seconds(1)

    package init(lifetime: Duration) {
        self.lifetime = lifetime
    }
}

/// Why an audit could not be completed.
package enum AuditFailure: Error, Equatable, CustomStringConvertible {
    /// Another audit of the same kind is running.
    case underWay
    /// Another process took the audit over because its lease had expired.
    case takenOver
    /// The bucket does not belong to this database, or has lost its content.
    case unknownBucket
    /// The listing is not in the order of keys, so a missing key proves nothing.
    case disorder

    package var description: String {
        switch self {
        case .underWay: "another audit is running; the lease of an audit that was killed expires after 90 s"
        case .takenOver: "another audit has taken this one over"
        case .unknownBucket: "the bucket is not the one that this database was used with last"
        case .disorder: "the object store does not list objects in the order of their keys"
        }
    }
}
