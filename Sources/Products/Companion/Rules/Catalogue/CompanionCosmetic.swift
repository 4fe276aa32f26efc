package struct Cosmetic: Hashable, Sendable {
    package var id: String
    package var title: String
    package var category: String
    package var energy: Int?
    package var gems: Int?
    /// The season in which it is sold: from `from` to before `to`.
    package var from: Instant?
    package var to: Instant?
    /// It is not sold any more.
    package var isRetired: Bool

    package init(
        id: String, title: String, category: String, energy: Int? = nil, gems: Int? = nil,
        from: Instant? = nil, to: Instant? = nil, isRetired: Bool = false
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.energy = energy
        self.gems = gems
        self.from = from
        self.to = to
        self.isRetired = isRetired
    }

    /// In season and not retired.
    package func isAvailable(at now: Instant) -> Bool {
        !isRetired && from.map { $0 <= now } ?? true && to.map { now < $0 } ?? true
    }

    /// nil: it is not sold for this currency.
    package func price(in currency: Currency) -> Int? {
        switch currency {
        case .energy: energy
        case .gems: gems
        }
    }
}

extension Sequence<Cosmetic> {
    /// A pet may wear all of these together: no two are of one category.
    package var fitTogether: Bool {
        var categories: Set<String> = []
        return allSatisfy { categories.insert($0.category).inserted }
    }
}
