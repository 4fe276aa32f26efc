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
        let rules = try await store.lifecycle()
        var rows = rules.value(or: LifecycleRules()).map(foreignConflicts) ?? []
        rows.append(try await lifecycle.row(rules, isApplying: isApplying))
        rows.append(try await cors.row(store.cors(), isApplying: isApplying))
        rows.append(try await publicAccess.row(store.publicAccessBlock(), isApplying: isApplying))
        rows.append(try await policy.row(store.policy(), isApplying: isApplying))
        return rows
    }

    // MARK: Lifecycle

    private var lifecycle: BucketItem<LifecycleRules> {
        let needs = plan.lifecycle
        return BucketItem(
            name: Self.lifecycleName, met: "deletes photos after \(needs.days) days if no sweeper runs",
            unmet: "no rule deletes photos if no sweeper runs",
            without: "Only sweeping deletes photos there: keep a sweeper running at all times.",
            permission: "s3:GetLifecycleConfiguration", empty: LifecycleRules(),
            isMet: { found in
                needs.isMet(by: found) && needs.conflicts(in: found).allSatisfy { !isOurs($0.rule) }
            },
            read: store.lifecycle, write: setLifecycle)
    }

    /// The rules that are not ours and would delete objects too early. The setup replaces our own rules anyway.
    private func foreignConflicts(in found: LifecycleRules) -> [BucketRow] {
        plan.lifecycle.conflicts(in: found).filter { !isOurs($0.rule) }.map { rule, reason in
            BucketRow(
                Self.lifecycleName, .refused, "the rule '\(rule.id ?? "without a name")' \(reason)",
                remedy: "Remove the rule from the bucket, or give it another prefix.")
        }
    }

    private func isOurs(_ rule: LifecycleRule) -> Bool {
        plan.lifecycle.rules.contains { $0.id == rule.id }
    }

    /// A server without versions may refuse a rule that mentions them.
    private func setLifecycle(_ found: LifecycleRules) async throws(ObjectStoreError) -> BucketChange {
        let rules = plan.lifecycle.rules
        let change = try await store.setLifecycle(rules.reduce(found) { $0.replacing($1) })
        guard change.isRefusal, !plan.deletesVersions else { return change }
        return try await store.setLifecycle(rules.reduce(found) { $0.replacing($1.withoutVersions) })
    }

    // MARK: Browsers and strangers

    private var cors: BucketItem<CORSRules> {
        let wanted = plan.cors
        let origins = wanted.flatMap(\.origins).sorted().joined(separator: ", ")
        return BucketItem(
            name: "CORS", met: "scripts of pages at \(origins) may read photos",
            unmet: "scripts of pages at \(origins) may not read photos",
            without: "The web client, which reads photos by script, shows none of them.",
            permission: "s3:GetBucketCORS", empty: CORSRules(),
            isMet: { found in wanted.allSatisfy { rule in found.rules.contains { $0.allows(rule) } } },
            read: store.cors,
            write: { (found) async throws(ObjectStoreError) in
                try await store.setCORS(wanted.reduce(found) { $0.replacing($1) })
            })
    }

    private var publicAccess: BucketItem<PublicAccessBlock> {
        BucketItem(
            name: "public access", met: "is blocked",
            unmet: "is not blocked: an ACL or a policy could open the bucket",
            without: "Check that no ACL or policy of the bucket makes it public.",
            permission: "s3:GetBucketPublicAccessBlock", empty: PublicAccessBlock(), isMet: \.isComplete,
            read: store.publicAccessBlock,
            write: { (_) async throws(ObjectStoreError) in
                try await store.setPublicAccessBlock(plan.publicAccessBlock)
            })
    }

    private var policy: BucketItem<PolicyDocument> {
        let plainHTTP = plan.allowsPlainHTTP ? "" : "plain http, "
        return BucketItem(
            name: "policy", met: "refuses \(plainHTTP)strangers and links that were signed too long ago",
            unmet: "does not refuse \(plainHTTP)strangers and links that were signed too long ago",
            without: "Only the absence of public access keeps unsigned requests out.",
            permission: "s3:GetBucketPolicy", empty: PolicyDocument(),
            isMet: { $0.holds(plan.refusals) }, read: store.policy, write: setPolicy)
    }

    /// Undoes the policy if the server then refuses this service too: a server that ignores the conditions of a statement
    /// would refuse everything to everybody.
    private func setPolicy(beside found: PolicyDocument) async throws(ObjectStoreError) -> BucketChange {
        let wasUsable = await isUsable
        let change = try await store.setPolicy(found.replacing(plan.refusals))
        guard change == .accepted, wasUsable, await !isUsable else { return change }
        if found.statements.isEmpty {
            try await store.removePolicy()
        } else {
            _ = try await store.setPolicy(found)
        }
        return .refused(
            "under this policy the server refused these credentials too, so the policy was undone")
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
