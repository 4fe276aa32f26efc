import ObjectStorage

/// Compares a bucket's settings with the plan, and sets them. It keeps the rules and statements of others.
struct BucketSetup: Sendable {
    let store: S3ObjectStore
    let plan: BucketPlan

    static let lifecycleName = "lifecycle"

    /// - Parameter isApplying: Whether to set the settings that differ.
    func rows(isApplying: Bool) async throws(ObjectStoreError) -> [BucketRow] {
        let retention = RetentionVerdict(
            retention: try await store.retention(), deletesVersions: plan.deletesVersions)
        return retention.rows + (try await settingRows(isApplying: isApplying))
    }

    /// All settings except for versions and object lock.
    func settingRows(isApplying: Bool) async throws(ObjectStoreError) -> [BucketRow] {
        var rows = try await lifecycle(isApplying)
        rows.append(try await cors(isApplying))
        rows.append(try await publicAccess(isApplying))
        rows.append(try await policy(isApplying))
        return rows
    }

    private func lifecycle(_ isApplying: Bool) async throws(ObjectStoreError) -> [BucketRow] {
        let name = Self.lifecycleName
        let setting = try await store.lifecycle()
        guard let found = setting.value(or: LifecycleRules()) else {
            return [
                unreadable(
                    name, setting,
                    without: "Only sweeping deletes photos there: keep a sweeper running at all times.",
                    permission: "s3:GetLifecycleConfiguration")
            ]
        }
        let needs = plan.lifecycle
        var rows = needs.conflicts(in: found).filter { conflict in
            // A rule of ours with this name is replaced anyway.
            !needs.rules.contains { $0.id == conflict.rule.id }
        }.map { rule, reason in
            BucketRow(
                name, .refused, "the rule '\(rule.id ?? "without a name")' \(reason)",
                remedy: "Remove the rule from the bucket, or give it another prefix.")
        }
        let isMet = needs.isMet(by: found) && needs.conflicts(in: found).count == rows.count
        rows.append(
            try await row(
                name, isMet: isMet, isApplying: isApplying,
                met: "deletes photos after \(needs.days) days if no sweeper runs",
                unmet: "no rule deletes photos if no sweeper runs"
            ) { () async throws(ObjectStoreError) -> Outcome in
                try await setLifecycle(found)
            })
        return rows
    }

    /// A server without versions may refuse a rule that mentions them.
    private func setLifecycle(_ found: LifecycleRules) async throws(ObjectStoreError) -> Outcome {
        let needs = plan.lifecycle
        var change = try await store.setLifecycle(needs.rules.reduce(found) { $0.replacing($1) })
        if change.isRefusal, !plan.deletesVersions {
            change = try await store.setLifecycle(
                needs.rules.reduce(found) { $0.replacing($1.withoutVersions) })
        }
        let kept = try await store.lifecycle().value(or: LifecycleRules()) ?? LifecycleRules()
        return Outcome(change: change, isKept: needs.isMet(by: kept))
    }

    private func cors(_ isApplying: Bool) async throws(ObjectStoreError) -> BucketRow {
        let name = "CORS"
        let setting = try await store.cors()
        guard let found = setting.value(or: CORSRules()) else {
            return unreadable(
                name, setting, without: "Web pages can show photos, but their scripts cannot read them.",
                permission: "s3:GetBucketCORS")
        }
        let wanted = plan.cors
        func isMet(_ found: CORSRules) -> Bool {
            wanted.allSatisfy { rule in found.rules.contains { $0.allows(rule) } }
        }
        let origins = wanted.flatMap(\.origins).sorted().joined(separator: ", ")
        return try await row(
            name, isMet: isMet(found), isApplying: isApplying,
            met: "scripts of pages at \(origins) may read photos",
            unmet: "scripts of pages at \(origins) may not read photos"
        ) { () async throws(ObjectStoreError) -> Outcome in
            let change = try await store.setCORS(wanted.reduce(found) { $0.replacing($1) })
            let kept = try await store.cors().value(or: CORSRules()) ?? CORSRules()
            return Outcome(change: change, isKept: isMet(kept))
        }
    }

    private func publicAccess(_ isApplying: Bool) async throws(ObjectStoreError) -> BucketRow {
        let name = "public access"
        let setting = try await store.publicAccessBlock()
        guard let found = setting.value(or: PublicAccessBlock()) else {
            return unreadable(
                name, setting, without: "See that no ACL and no policy of the bucket opens it to the public.",
                permission: "s3:GetBucketPublicAccessBlock")
        }
        return try await row(
            name, isMet: found.isComplete, isApplying: isApplying, met: "is blocked",
            unmet: "is not blocked: an ACL or a policy could open the bucket"
        ) { () async throws(ObjectStoreError) -> Outcome in
            let change = try await store.setPublicAccessBlock(plan.publicAccessBlock)
            let kept = try await store.publicAccessBlock().value(or: PublicAccessBlock())
            return Outcome(change: change, isKept: kept?.isComplete ?? false)
        }
    }

    private func policy(_ isApplying: Bool) async throws(ObjectStoreError) -> BucketRow {
        let name = "policy"
        let setting = try await store.policy()
        guard let found = setting.value(or: PolicyDocument()) else {
            return unreadable(
                name, setting,
                without: "What is not signed is kept out by nothing else but that it is not public.",
                permission: "s3:GetBucketPolicy")
        }
        let what = plan.allowsPlainHTTP ? "" : "plain http, "
        return try await row(
            name, isMet: found.holds(plan.refusals), isApplying: isApplying,
            met: "refuses \(what)strangers and links older than theirs may be",
            unmet: "does not refuse \(what)strangers and links older than theirs may be"
        ) { () async throws(ObjectStoreError) -> Outcome in
            try await setPolicy(beside: found)
        }
    }

    /// A server that ignores the conditions of a statement would refuse everything to everybody, so the policy is undone there.
    private func setPolicy(beside found: PolicyDocument) async throws(ObjectStoreError) -> Outcome {
        let wasUsable = await isUsable
        let change = try await store.setPolicy(found.replacing(plan.refusals))
        if change == .accepted, wasUsable, await !isUsable {
            if found.statements.isEmpty {
                try await store.removePolicy()
            } else {
                _ = try await store.setPolicy(found)
            }
            let reason =
                "under this policy the server refused these credentials too, so the policy was undone"
            return Outcome(change: .refused(reason), isKept: false)
        }
        let kept = try await store.policy().value(or: PolicyDocument())
        return Outcome(change: change, isKept: kept?.holds(plan.refusals) ?? false)
    }

    private var isUsable: Bool {
        get async {
            do {
                try await StorageProbe(store: store).run()
                return true
            } catch {
                return false
            }
        }
    }

    private struct Outcome {
        let change: BucketChange
        /// Whether the server shows the new value afterwards.
        let isKept: Bool
    }

    private func row(
        _ name: String, isMet: Bool, isApplying: Bool, met: String, unmet: String,
        set: () async throws(ObjectStoreError) -> Outcome
    ) async throws(ObjectStoreError) -> BucketRow {
        if isMet { return BucketRow(name, .inOrder, met) }
        guard isApplying else {
            return BucketRow(
                name, .differs, unmet, remedy: "Run `dayly bucket apply` with credentials that may set it.")
        }
        let outcome = try await set()
        switch outcome.change {
        case .accepted where outcome.isKept: return BucketRow(name, .set, met)
        case .accepted:
            return BucketRow(
                name, .failed, "the server accepted it but does not show it",
                remedy: "Ask the provider whether the server keeps this setting.")
        case .unsupported:
            return BucketRow(
                name, .unsupported, "the server has this setting but does not let clients change it")
        case .forbidden:
            return BucketRow(
                name, .forbidden, "these credentials may not set it",
                remedy: "Run `dayly bucket apply` once with the credentials of the bucket's owner.")
        case .refused(let reason):
            return BucketRow(
                name, .failed, reason,
                remedy: "Set it by the provider's own tools; storage/README.md explains its purpose.")
        }
    }

    /// The row for a setting that the server does not have, or does not show.
    private func unreadable<Value>(
        _ name: String, _ setting: BucketSetting<Value>, without consequence: String, permission: String
    ) -> BucketRow {
        if case .forbidden = setting {
            return BucketRow(
                name, .forbidden, "these credentials may not read it",
                remedy: "Allow \(permission), as `dayly bucket policy` prints it.")
        }
        return BucketRow(name, .unsupported, "the server does not have this setting", remedy: consequence)
    }
}

extension BucketChange {
    /// Whether the server might accept another value.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .unsupported: true
        case .accepted, .forbidden: false
        }
    }
}
