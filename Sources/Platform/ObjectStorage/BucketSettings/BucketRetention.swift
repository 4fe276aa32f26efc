/// Whether a bucket keeps deleted objects: its settings for versions and for object locks.
package struct BucketRetention: Sendable, Hashable {
    package enum Versioning: Sendable, Hashable {
        /// Was never on: a deleted object is gone.
        case never
        /// Deleting hides an object behind a marker and keeps its bytes.
        case enabled
        /// Was on before: the bucket still keeps the versions made at that time.
        case suspended
        /// The server does not know this setting, so it has no versions.
        case unsupported
        /// These credentials may not read the setting.
        case forbidden
    }

    package enum Lock: Sendable, Hashable {
        case none
        /// Single objects may be locked; the bucket locks none by default.
        case possible
        /// Every new object is locked for the period. The mode is `GOVERNANCE` or `COMPLIANCE`.
        case always(mode: String, period: String)
        case unsupported
        case forbidden
    }

    package let versioning: Versioning
    package let lock: Lock
    /// Whether only a user with a second factor may delete versions (MFA delete).
    package let needsMFA: Bool

    package init(versioning: Versioning, lock: Lock, needsMFA: Bool = false) {
        self.versioning = versioning
        self.lock = lock
        self.needsMFA = needsMFA
    }

    init(versioning: BucketSetting<XMLTree>, lock: BucketSetting<XMLTree>) {
        self.init(
            versioning: Self.versioning(versioning), lock: Self.lock(lock),
            needsMFA: versioning.set?["MfaDelete"] == "Enabled" || versioning.set?["MFADelete"] == "Enabled")
    }

    private static func versioning(_ answer: BucketSetting<XMLTree>) -> Versioning {
        switch answer {
        case .unset: .never
        case .unsupported: .unsupported
        case .forbidden: .forbidden
        case .set(let xml):
            switch xml["Status"] {
            case nil, "": .never
            case "Suspended": .suspended
            default: .enabled
            }
        }
    }

    private static func lock(_ answer: BucketSetting<XMLTree>) -> Lock {
        switch answer {
        case .unset: return .none
        case .unsupported: return .unsupported
        case .forbidden: return .forbidden
        case .set(let xml):
            guard xml["ObjectLockEnabled"] == "Enabled" else { return .none }
            guard let rule = xml.all("Rule").first?.all("DefaultRetention").first else { return .possible }
            let period = rule["Days"].map { "\($0) days" } ?? rule["Years"].map { "\($0) years" }
            return .always(mode: rule["Mode"] ?? "of an unknown mode", period: period ?? "an unknown time")
        }
    }
}

extension BucketSetting {
    fileprivate var set: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}
