import ObjectStorage

/// Judges a bucket's settings by the plan. Its owner mends them: the service needs no right to.
struct BucketVerdict: Sendable {
    let store: S3ObjectStore
    let plan: BucketPlan

    static let lifecycleName = "lifecycle"

    func rows() async throws -> [BucketRow] {
        let retention = RetentionVerdict(retention: try await store.retention(), plan.s3)
        return retention.rows + (try await settingRows())
    }

    /// All settings except for versions and object lock.
    func settingRows() async throws -> [BucketRow] {
        let rules = try await store.lifecycle()
        var rows = rules.value(or: LifecycleRules()).map(conflicts) ?? []
        rows.append(try lifecycle.row(rules))
        rows.append(try cors.row(await store.cors()))
        rows.append(try publicAccess.row(await store.publicAccessBlock()))
        rows.append(try policy.row(await store.policy()))
        return rows
    }

    // MARK: Lifecycle

    private var lifecycle: BucketItem<LifecycleRules> {
        let (needs, lines) = (plan.lifecycle, plan.lines)
        return BucketItem(
            name: Self.lifecycleName, met: "deletes photos after \(needs.days) days if no sweeper runs",
            unmet: "no rule deletes photos if no sweeper runs",
            without: "Only sweeping deletes photos there: keep a sweeper running at all times.",
            permission: "s3:GetLifecycleConfiguration", empty: LifecycleRules(), isMet: needs.isMet,
            caution: { found in
                Self.caution(
                    found.rules.map(\.id), needs.file.rules.map(\.id), "get-bucket-lifecycle-configuration"
                ).map { "\($0) `mc` keeps them." }
            },
            lines: { _ in
                [
                    lines.aws(
                        "put-bucket-lifecycle-configuration", "--lifecycle-configuration",
                        try OwnersLines.json(needs.file)),
                    needs.file.rules.map { rule in
                        let versions =
                            rule.noncurrent.map { " --noncurrent-expire-days \($0.days)" } ?? ""
                        return lines.mc(
                            "ilm rule add --expire-days \(rule.expiration.days)\(versions) --prefix",
                            rule.filter.prefix)
                    }.joined(separator: " && "),
                ]
            })
    }

    /// The rules that would delete objects too early.
    private func conflicts(in found: LifecycleRules) -> [BucketRow] {
        plan.lifecycle.conflicts(in: found).map { rule, reason in
            BucketRow(
                Self.lifecycleName, .refused, "the rule '\(rule.id ?? "without a name")' \(reason)",
                remedy: "Remove the rule from the bucket, or give it another prefix.",
                lines: rule.id.map { [plan.lines.mc("ilm rule rm --id", $0)] } ?? [])
        }
    }

    /// `aws` replaces all rules of a setting at once.
    ///
    /// - Parameters:
    ///   - found: the ids of the bucket's rules.
    ///   - own: those of Dayly's rules, which may be replaced.
    private static func caution(_ found: [String?], _ own: [String], _ command: String) -> String? {
        guard !found.allSatisfy({ id in own.contains { $0 == id } }) else { return nil }
        return
            "The bucket has other rules, which `aws` replaces: add those that `aws s3api \(command)` shows."
    }

    // MARK: Browsers and strangers

    private var cors: BucketItem<CORSRules> {
        let (file, lines) = (plan.cors, plan.lines)
        let wanted = file.rules.map(\.rule)
        let origins = wanted.flatMap(\.origins).sorted().joined(separator: ", ")
        return BucketItem(
            name: "CORS", met: "scripts of pages at \(origins) may read photos",
            unmet: "scripts of pages at \(origins) may not read photos",
            without: "The web client, which reads photos by script, shows none of them.",
            permission: "s3:GetBucketCORS", empty: CORSRules(),
            isMet: { found in wanted.allSatisfy { rule in found.rules.contains { $0.allows(rule) } } },
            caution: { Self.caution($0.rules.map(\.id), file.rules.map(\.id), "get-bucket-cors") },
            lines: { _ in
                [lines.aws("put-bucket-cors", "--cors-configuration", try OwnersLines.json(file))]
            })
    }

    private var publicAccess: BucketItem<PublicAccessBlock> {
        let lines = plan.lines
        return BucketItem(
            name: "public access", met: "is blocked",
            unmet: "is not blocked: an ACL or a policy could open the bucket",
            without: "Check that no ACL or policy of the bucket makes it public.",
            permission: "s3:GetBucketPublicAccessBlock", empty: PublicAccessBlock(), isMet: \.isComplete,
            lines: { _ in
                let switches = PublicAccessBlock.names.map { "\($0)=true" }.joined(separator: ",")
                return [
                    lines.aws("put-public-access-block", "--public-access-block-configuration", switches)
                ]
            })
    }

    private var policy: BucketItem<PolicyDocument> {
        let plainHTTP = plan.allowsPlainHTTP ? "" : "plain http, "
        let (refusals, lines) = (plan.refusals, plan.lines)
        return BucketItem(
            name: "policy", met: "refuses \(plainHTTP)strangers and links that were signed too long ago",
            unmet: "does not refuse \(plainHTTP)strangers and links that were signed too long ago",
            without: "Only the absence of public access keeps unsigned requests out.",
            permission: "s3:GetBucketPolicy", empty: PolicyDocument(), isMet: { $0.holds(refusals) },
            // A server that overlooks a statement's conditions refuses everything to everybody.
            caution: { _ in
                "If the server then refuses `dayly doctor`, it overlooks conditions: "
                    + "`aws s3api delete-bucket-policy` undoes it."
            },
            lines: { found in
                [
                    lines.aws(
                        "put-bucket-policy", "--policy",
                        try OwnersLines.json(found.replacing(refusals).value))
                ]
            })
    }
}
