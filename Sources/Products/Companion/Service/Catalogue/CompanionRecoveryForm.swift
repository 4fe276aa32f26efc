import CompanionRules

/// The recoveries as the catalogue's JSON has them.
struct RecoveryForm: Codable {
    let cure: TermsForm
    let revive: TermsForm
    let restart: TermsForm

    init(_ catalogue: Catalogue) {
        cure = TermsForm(catalogue.cure)
        revive = TermsForm(catalogue.revive)
        restart = TermsForm(catalogue.restart)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        let counted: [TermsForm.CodingKeys] = [.gems, .pauseHours, .count, .windowDays]
        cure = try TermsForm(from: members.superDecoder(forKey: .cure), counted)
        revive = try TermsForm(from: members.superDecoder(forKey: .revive), counted + [.fragileDays])
        restart = try TermsForm(
            from: members.superDecoder(forKey: .restart), [.gems, .pauseHours, .freeAfterDays])
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case cure, revive, restart
    }
}

/// The terms of one recovery.
struct TermsForm: Encodable {
    let terms: RecoveryTerms

    init(_ terms: RecoveryTerms) { self.terms = terms }

    /// - Parameter keys: the members that this recovery has. Each is required.
    init(from decoder: any Decoder, _ keys: [CodingKeys]) throws {
        try decoder.refuseMembers(besides: Set(keys.map(\.stringValue)))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func figure(_ key: CodingKeys) throws -> Int? { keys.contains(key) ? try members.figure(key) : nil }
        terms = RecoveryTerms(
            gems: try members.figure(.gems), pauseHours: try members.figure(.pauseHours),
            count: try figure(.count), windowDays: try figure(.windowDays),
            fragileDays: try figure(.fragileDays), freeAfterDays: try figure(.freeAfterDays))
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(terms.gems, forKey: .gems)
        try members.encode(terms.pauseHours, forKey: .pauseHours)
        try members.encodeIfPresent(terms.count, forKey: .count)
        try members.encodeIfPresent(terms.windowDays, forKey: .windowDays)
        try members.encodeIfPresent(terms.fragileDays, forKey: .fragileDays)
        try members.encodeIfPresent(terms.freeAfterDays, forKey: .freeAfterDays)
    }

    enum CodingKeys: String, CodingKey {
        case gems
        case pauseHours = "pause_hours"
        case count
        case windowDays = "window_days"
        case fragileDays = "fragile_days"
        case freeAfterDays = "free_after_days"
    }
}
