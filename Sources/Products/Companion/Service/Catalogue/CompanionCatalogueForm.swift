import CompanionRules
import Foundation

/// The catalogue as its JSON has it. A member that has no meaning is refused, since it may be a slip in a name.
struct CatalogueForm: Codable {
    private let foods: [FoodForm]
    private let cosmetics: [CosmeticForm]
    private let recovery: RecoveryForm

    init(_ catalogue: Catalogue) {
        foods = catalogue.foods.map(FoodForm.init)
        cosmetics = catalogue.cosmetics.map(CosmeticForm.init)
        recovery = RecoveryForm(catalogue)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        foods = try members.decode([FoodForm].self, forKey: .foods)
        cosmetics = try members.decode([CosmeticForm].self, forKey: .cosmetics)
        recovery = try members.decode(RecoveryForm.self, forKey: .recovery)
    }

    var catalogue: Catalogue {
        Catalogue(
            foods: foods.map(\.food), cosmetics: cosmetics.map(\.cosmetic), cure: recovery.cure.terms,
            revive: recovery.revive.terms, restart: recovery.restart.terms)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case foods, cosmetics, recovery
    }
}

private struct CosmeticForm: Codable {
    let cosmetic: Cosmetic

    init(_ cosmetic: Cosmetic) { self.cosmetic = cosmetic }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        cosmetic = Cosmetic(
            id: try members.decode(String.self, forKey: .id),
            title: try members.decode(String.self, forKey: .title),
            category: try members.decode(String.self, forKey: .category),
            energy: try members.figureIfPresent(.energy), gems: try members.figureIfPresent(.gems),
            from: try members.decodeIfPresent(Date.self, forKey: .from).map(Self.instant),
            to: try members.decodeIfPresent(Date.self, forKey: .to).map(Self.instant),
            isRetired: try members.decodeIfPresent(Bool.self, forKey: .retired) ?? false)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(cosmetic.id, forKey: .id)
        try members.encode(cosmetic.title, forKey: .title)
        try members.encode(cosmetic.category, forKey: .category)
        try members.encodeIfPresent(cosmetic.energy, forKey: .energy)
        try members.encodeIfPresent(cosmetic.gems, forKey: .gems)
        try members.encodeIfPresent(cosmetic.from.map(Self.date), forKey: .from)
        try members.encodeIfPresent(cosmetic.to.map(Self.date), forKey: .to)
        if cosmetic.isRetired { try members.encode(true, forKey: .retired) }
    }

    private static func instant(_ date: Date) -> Instant {
        Instant(date.timeIntervalSince1970.rounded(.down))
    }

    private static func date(_ instant: Instant) -> Date { Date(timeIntervalSince1970: Double(instant)) }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title, category, energy, gems, from, to, retired
    }
}

extension Decoder {
    /// The members of an object that has no others than those of `Keys`.
    func knownMembers<Keys: CodingKey & CaseIterable>(
        _ keys: Keys.Type
    ) throws -> KeyedDecodingContainer<Keys> {
        try refuseMembers(besides: Set(keys.allCases.map(\.stringValue)))
        return try container(keyedBy: keys)
    }

    func refuseMembers(besides names: Set<String>) throws {
        let found = try container(keyedBy: AnyMember.self).allKeys
        guard let other = found.first(where: { !names.contains($0.stringValue) }) else { return }
        throw DecodingError.dataCorrupted(
            .init(
                codingPath: codingPath + [other], debugDescription: "a catalogue has no such member here."))
    }
}

extension KeyedDecodingContainer {
    /// A whole number that no sum of the service overflows with.
    func figure(_ key: Key) throws -> Int {
        let number = try decode(Decimal.self, forKey: key)
        let whole = Int(truncating: NSDecimalNumber(decimal: number))
        guard number.magnitude <= 1_000_000_000, Decimal(whole) == number else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "it must be a whole number that is not too great.")
        }
        return whole
    }

    func figureIfPresent(_ key: Key) throws -> Int? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try figure(key)
    }
}

private struct AnyMember: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
