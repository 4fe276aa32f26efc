/// Something that bucket and database do not agree on, or that is later than promised.
package struct AuditFinding: Sendable, Codable, Equatable {
    /// What is wrong.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// An object that no row knows.
        case orphanObject = "orphan_object"
        /// A photo in somebody's feed without its object.
        case missingObject = "missing_object"
        /// An object that was due more than five minutes ago.
        case overdueObject = "overdue_object"
        /// An object that is older than a photo's lifetime and five minutes, whatever its row says.
        case overstayedObject = "overstayed_object"
        /// A photo's row that expired more than five minutes ago.
        case overduePhoto = "overdue_photo"
        /// An upload whose lease ran out more than five minutes ago.
        case overdueUpload = "overdue_upload"
    }

    package let kind: Kind
    /// The object's key, or the photo's id.
    package let subject: String
    /// True when this audit mended it: an orphan is left to the sweeper, a photo without its object is hidden.
    package var mended = false
}

/// What an audit saw. It stays small however much that was.
package struct AuditReport: Sendable, Codable, Equatable {
    /// Findings of one kind that are told one by one.
    static let maxFindings = 100

    /// Objects listed under `photos/`.
    package var objects = 0
    /// How often each kind was found.
    package private(set) var counts: [String: Int] = [:]
    /// How many of them are not mended.
    package private(set) var unmended = 0
    /// The first ones of each kind.
    package private(set) var findings: [AuditFinding] = []
    /// Photos taken out of the feeds because an object of theirs is gone.
    package var hiddenPhotos = 0
    /// Objects without a row that are too young to judge.
    package var youngOrphans = 0
    /// Why photos were left in their feeds although objects seem to be gone: the store is not to be trusted.
    package var doubt: String?
    /// Whether it came to its end.
    package var isComplete = false
    /// Without the time between being cut off and going on.
    package var seconds = 0.0

    package init() {}

    package func count(of kind: AuditFinding.Kind) -> Int { counts[kind.rawValue] ?? 0 }

    mutating func add(_ finding: AuditFinding) {
        add(finding.kind, 1, unmended: finding.mended ? 0 : 1)
        if findings.count(where: { $0.kind == finding.kind }) < Self.maxFindings { findings.append(finding) }
    }

    /// What is only counted.
    mutating func add(_ kind: AuditFinding.Kind, _ count: Int, unmended: Int) {
        guard count > 0 else { return }
        counts[kind.rawValue, default: 0] += count
        self.unmended += unmended
    }
}

/// How an audit works.
package struct AuditSettings: Sendable {
    /// Of a photo.
    package var lifetime: Duration
    /// Whether it mends what it finds, or only tells.
    package var mends = false
    /// Photos that one run may hide: where more have lost their objects the store is in doubt. Nil: all.
    package var hideCeiling: Int? = 20
    /// Of the object store; nil: as fast as it answers.
    package var requestsPerSecond: Int?
    /// Only what has been there for longer can be an orphan: more than an upload can take.
    package var orphanAge: Duration = .seconds(600)
    /// Objects, and rows, that are held in memory at a time.
    package var pageSize = 1_000
    /// Between two looks for an object that seems to be gone: some stores find a new one a moment late.
    package var secondLookAfter: Duration = .seconds(1)

    package init(lifetime: Duration) {
        self.lifetime = lifetime
    }
}

/// Why an audit did not come to its end.
package enum AuditFailure: Error, Equatable, CustomStringConvertible {
    /// Another one of that kind has it.
    case underWay
    /// Somebody else took it over, because it stood still for too long.
    case takenOver
    /// The bucket is another one, or has lost what was in it.
    case unknownBucket
    /// The listing is not in the order of keys, so nothing can be told from what is not in it.
    case disorder

    package var description: String {
        switch self {
        case .underWay: "another audit is under way; one that was killed is given up after 90 s"
        case .takenOver: "another audit has taken this one over"
        case .unknownBucket: "the bucket is not the one that this database was used with last"
        case .disorder: "the object store does not list objects in the order of their keys"
        }
    }
}
